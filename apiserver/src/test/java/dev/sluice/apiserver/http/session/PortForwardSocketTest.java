package dev.sluice.apiserver.http.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.http.spdy.HeaderBlocks;
import dev.sluice.apiserver.http.spdy.SpdyConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Ports of a pod as kubectl asks for them, without the WebSocket around it: the JDK's client does
 * not let its users name a protocol with a slash, as this one has.
 */
@Timeout(60)
class PortForwardSocketTest {
  private static final int HEAD = 8;

  private ServerSocket listening;
  private PortForwardSocket socket;
  private final Client client = new Client();
  private final CompletableFuture<Void> placeGivenBack = new CompletableFuture<>();
  private final HeaderBlocks headers = new HeaderBlocks();

  /** The client's side: keeps the messages that are sent to it. */
  private static final class Client extends CoreSession.Empty {
    private final LinkedBlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<String> closed = new CompletableFuture<>();
    private final Semaphore demands = new Semaphore(0);

    @Override
    public void sendFrame(Frame frame, Callback callback, boolean batch) {
      byte[] bytes = new byte[frame.getPayloadLength()];
      frame.getPayload().slice().get(bytes);
      messages.add(bytes);
      callback.succeeded();
    }

    @Override
    public void demand() {
      demands.release();
    }

    @Override
    public void close(int code, String why, Callback callback) {
      closed.complete(why);
      callback.succeeded();
    }
  }

  @BeforeEach
  void start() throws IOException {
    listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    socket = new PortForwardSocket(this::connect, () -> placeGivenBack.complete(null));
    socket.onOpen(client, Callback.NOOP);
  }

  /** Port 80 of the pod is another one. */
  private Socket connect(int port) throws IOException {
    if (port != 80) {
      throw new IOException("no process of the pod listens on port " + port);
    }
    return new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort());
  }

  @AfterEach
  void stop() throws Exception {
    leave();
    placeGivenBack.get(20, TimeUnit.SECONDS);
    headers.close();
    listening.close();
  }

  private void leave() {
    socket.onClosed(new CloseStatus(CloseStatus.NORMAL), Callback.NOOP);
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
      leave();

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
  void noMoreIsAskedForWhileMuchWaits() throws Exception {
    open(1, "error", 80, "0");
    open(3, "data", 80, "0");
    client.demands.acquire(3);
    try (Socket pod = listening.accept()) {
      byte[] much = new byte[1 << 20];
      int pieces = 0;
      do {
        send(SpdyConnection.say(3, much, false));
        pieces++;
      } while (client.demands.tryAcquire() && pieces < 100);
      assertThat(pieces).as("nobody reads").isLessThan(100);

      pod.getInputStream().skipNBytes((long) pieces << 20);

      assertThat(client.demands.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aStreamWithoutAPlaceForErrorsIsRefused() throws Exception {
    open(1, "data", 80, "0");

    assertThat(next()).isEqualTo("refused 1");
  }

  @Test
  void malformedSpdyEndsTheSession() throws Exception {
    send("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));

    assertThat(client.closed.get(20, TimeUnit.SECONDS)).contains("is larger than");
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
    socket.onFrame(new Frame(OpCode.BINARY, ByteBuffer.wrap(bytes)), Callback.NOOP);
  }

  /** The next frame of the server, in words. */
  private String next() throws InterruptedException {
    byte[] message = client.messages.poll(20, TimeUnit.SECONDS);
    assertThat(message).isNotNull().hasSizeGreaterThanOrEqualTo(HEAD);
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
