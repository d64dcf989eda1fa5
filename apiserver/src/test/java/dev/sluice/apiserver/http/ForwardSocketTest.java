package dev.sluice.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.http.spdy.HeaderBlocks;
import dev.sluice.apiserver.http.spdy.SpdyConnection;
import dev.sluice.runtime.ContainerLogs;
import dev.sluice.runtime.ContainerSessions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ports of a pod that a client reaches through the server, as kubectl asks for them. */
@Timeout(60)
class ForwardSocketTest {
  private static final String PROTOCOL = "SPDY/3.1+portforward.k8s.io";
  private static final int HEAD = 8;

  private ServerSocket listening;
  private PodServer pods;
  private WebSocket socket;
  private final SocketClient client = new SocketClient();
  private final HeaderBlocks headers = new HeaderBlocks();

  /** Pods whose port 80 is another one. */
  private final class Machine implements ContainerSessions {
    @Override
    public boolean serves(String node) {
      return node.equals("local");
    }

    @Override
    public Optional<Session> open(Wish wish, Output output) {
      return Optional.empty();
    }

    @Override
    public Socket connect(String pod, int port) throws IOException {
      if (port != 80) {
        throw new IOException("no process of the pod listens on port " + port);
      }
      return new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort());
    }
  }

  @BeforeEach
  void start() throws IOException {
    listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    pods = new PodServer(ContainerLogs.NONE, new Machine());
    socket = pods.connect(client, "/one/portforward", PROTOCOL);
  }

  @AfterEach
  void stop() throws IOException {
    socket.abort();
    headers.close();
    pods.close();
    listening.close();
  }

  @Test
  void bothSidesOfAConnectionHearEachOther() throws Exception {
    open(1, "error", 80, "0");
    open(3, "data", 80, "0");
    assertThat(next()).isEqualTo("reply 1");
    assertThat(next()).isEqualTo("reply 3");
    try (Socket pod = listening.accept()) {
      send(SpdyConnection.say(3, "hello".getBytes(StandardCharsets.UTF_8), true));
      assertThat(pod.getInputStream().readAllBytes()).asString().isEqualTo("hello");
      pod.getOutputStream().write("goodbye".getBytes(StandardCharsets.UTF_8));
    }

    assertThat(next()).isEqualTo("3: goodbye");
    assertThat(next()).isEqualTo("1: , the last");
    assertThat(next()).isEqualTo("3: , the last");
  }

  @Test
  void framesMayBeCutAnywhere() throws Exception {
    byte[] all = SpdyConnection.ping(7);
    for (byte one : all) {
      send(new byte[] {one});
    }
    send(SpdyConnection.ping(9));

    assertThat(next()).isEqualTo("ping 7");
    assertThat(next()).isEqualTo("ping 9");
  }

  @Test
  void aPortOnWhichNobodyListensIsNamed() throws Exception {
    open(1, "error", 81, "0");
    open(3, "data", 81, "0");

    assertThat(next()).isEqualTo("reply 1");
    assertThat(next()).isEqualTo("reply 3");
    assertThat(next()).isEqualTo("1: no process of the pod listens on port 81, the last");
    assertThat(next()).isEqualTo("3: , the last");
  }

  @Test
  void aClientThatLeavesEndsItsConnections() throws Exception {
    open(1, "error", 80, "0");
    open(3, "data", 80, "0");
    try (Socket pod = listening.accept()) {
      socket.abort();

      assertThat(pod.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void aStreamThatIsGivenUpEndsItsConnection() throws Exception {
    open(1, "error", 80, "0");
    open(3, "data", 80, "0");
    try (Socket pod = listening.accept()) {
      send(SpdyConnection.refuse(3, SpdyConnection.Refusal.REFUSED));

      assertThat(pod.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void aStreamWithoutAPlaceForErrorsIsRefused() throws Exception {
    open(1, "data", 80, "0");

    assertThat(next()).isEqualTo("refused 1");
  }

  @Test
  void whatIsNoSpdyEndsTheTalk() throws Exception {
    send("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));

    assertThat(client.whyClosed()).contains("is larger than");
  }

  /** Begins a stream, with a frame that only clients send. */
  private void open(int stream, String type, int port, String request) {
    var told = new TreeMap<String, String>();
    told.put("streamtype", type);
    told.put("port", Integer.toString(port));
    told.put("requestid", request);
    byte[] block = headers.pack(told);
    int length = 10 + block.length;
    send(
        ByteBuffer.allocate(HEAD + length)
            .putInt(0x80030001)
            .putInt(length)
            .putInt(stream)
            .putInt(0)
            .putShort((short) 0)
            .put(block)
            .array());
  }

  private void send(byte[] bytes) {
    socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
  }

  /** The next frame of the server, in words. */
  private String next() throws InterruptedException {
    byte[] message = client.next();
    assertThat(message).hasSizeGreaterThanOrEqualTo(HEAD);
    ByteBuffer frame = ByteBuffer.wrap(message);
    int first = frame.getInt();
    int second = frame.getInt();
    if (first > 0) {
      String text =
          new String(Arrays.copyOfRange(message, HEAD, message.length), StandardCharsets.UTF_8);
      return first + ": " + text + (second >>> 24 == 1 ? ", the last" : "");
    }
    String type =
        switch (first & 0xffff) {
          case 2 -> "reply ";
          case 3 -> "refused ";
          case 6 -> "ping ";
          default -> throw new AssertionError("a frame of type " + (first & 0xffff));
        };
    return type + frame.getInt();
  }
}
