package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.Check;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Asks a server how it is by the health protocol of gRPC: one call of {@code
 * grpc.health.v1.Health/Check}. The few frames of HTTP/2 that this takes are written out by hand,
 * because the client of the JDK wants to begin with HTTP/1.1, which such servers do not speak.
 *
 * <p>The headers of the answer are not read: an answer with a message is that of a call that went
 * well, and one without is not.
 */
final class GrpcProbe {
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int STREAM = 1;

  /** Five bytes with the length of the message, and its one field: two bytes. */
  private static final int WHOLE = 7;

  /** By their numbers. */
  private static final List<String> STATUSES =
      List.of("UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN");

  private GrpcProbe() {}

  /** What is wrong with the service, empty if it serves. */
  static String ask(Check.Grpc question, Duration timeout) throws IOException {
    int millis = (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE);
    long end = System.nanoTime() + timeout.toNanos();
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(question.host(), question.port()), millis);
      socket.setSoTimeout(millis);
      send(question, socket.getOutputStream());
      return judged(answer(socket, end), question.service());
    } catch (EOFException left) {
      throw new IOException("the server left without an answer", left);
    }
  }

  private static void send(Check.Grpc question, OutputStream out) throws IOException {
    out.write(PREFACE.getBytes(StandardCharsets.US_ASCII));
    new Http2Frame(Http2Frame.SETTINGS, 0, 0, new byte[0]).writeTo(out);
    byte[] headers = headers(question.host() + ":" + question.port());
    new Http2Frame(Http2Frame.HEADERS, Http2Frame.END_OF_HEADERS, STREAM, headers).writeTo(out);
    byte[] body = body(question.service());
    new Http2Frame(Http2Frame.DATA, Http2Frame.END_OF_STREAM, STREAM, body).writeTo(out);
  }

  /** In the simplest form that there is: numbers of well-known headers, and texts as they are. */
  private static byte[] headers(String authority) {
    var block = new ByteArrayOutputStream();
    block.write(0x83); // :method POST
    block.write(0x86); // :scheme http
    block.write(0x04); // :path
    addText(block, "/grpc.health.v1.Health/Check");
    block.write(0x01); // :authority
    addText(block, authority);
    block.writeBytes(new byte[] {0x0f, 0x10}); // content-type
    addText(block, "application/grpc");
    block.writeBytes(new byte[] {0x0f, 0x2b}); // user-agent
    addText(block, "kube-probe/1.36");
    block.write(0x00); // one with a name of its own
    addText(block, "te");
    addText(block, "trailers");
    return block.toByteArray();
  }

  /** Of less than 127 characters, as all of them are. */
  private static void addText(ByteArrayOutputStream block, String text) {
    block.write(text.length());
    block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** A message whose one field names the service. */
  private static byte[] body(String service) throws IOException {
    byte[] name = service.getBytes(StandardCharsets.UTF_8);
    var message = new ByteArrayOutputStream();
    if (name.length > 0) {
      message.write(0x0a);
      int rest = name.length;
      for (; rest >= 0x80; rest >>>= 7) {
        message.write((rest & 0x7f) | 0x80);
      }
      message.write(rest);
      message.writeBytes(name);
    }
    var body = new ByteArrayOutputStream();
    var framed = new DataOutputStream(body);
    framed.writeByte(0);
    framed.writeInt(message.size());
    message.writeTo(framed);
    if (body.size() > Http2Frame.LONGEST) {
      throw new IOException("grpc.service: a name of %d bytes is too long".formatted(name.length));
    }
    return body.toByteArray();
  }

  /** The beginning of the message, nothing if the call ends without one. */
  private static byte[] answer(Socket socket, long end) throws IOException {
    var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    var body = new ByteArrayOutputStream();
    boolean ended = false;
    while (!ended && body.size() < WHOLE) {
      if (System.nanoTime() - end > 0) {
        throw new IOException("the server did not answer in time");
      }
      Http2Frame frame = Http2Frame.read(in);
      switch (frame.kind()) {
        case Http2Frame.SETTINGS, Http2Frame.PING -> acknowledge(frame, socket.getOutputStream());
        case Http2Frame.DATA -> body.writeBytes(frame.content());
        case Http2Frame.RESET -> throw new IOException("the server broke off the call");
        default -> {}
      }
      ended =
          frame.stream() == STREAM
              && frame.kind() <= Http2Frame.HEADERS
              && frame.has(Http2Frame.END_OF_STREAM);
    }
    return body.toByteArray();
  }

  private static void acknowledge(Http2Frame frame, OutputStream out) throws IOException {
    if (!frame.has(Http2Frame.ACKNOWLEDGED)) {
      byte[] echo = frame.kind() == Http2Frame.PING ? frame.payload() : new byte[0];
      new Http2Frame(frame.kind(), Http2Frame.ACKNOWLEDGED, 0, echo).writeTo(out);
    }
  }

  private static String judged(byte[] body, String service) {
    if (body.length < WHOLE - 2) {
      return "the server does not implement the gRPC health protocol (grpc.health.v1.Health), or"
          + " does not know the service \"%s\"".formatted(service);
    }
    // The status is the field with the number 1; one that is left out is the first of all.
    int status = body.length >= WHOLE && body[5] == 0x08 ? body[6] : 0;
    String word =
        status >= 0 && status < STATUSES.size() ? STATUSES.get(status) : String.valueOf(status);
    return word.equals("SERVING")
        ? ""
        : "service unhealthy (responded with \"%s\")".formatted(word);
  }
}
