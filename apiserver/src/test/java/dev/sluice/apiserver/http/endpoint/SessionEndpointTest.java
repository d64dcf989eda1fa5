package dev.sluice.apiserver.http.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.http.PodServer;
import dev.sluice.apiserver.http.SocketClient;
import dev.sluice.runtime.ContainerLogs;
import dev.sluice.runtime.ContainerSessions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

@Timeout(60)
class SessionEndpointTest {
  private static final Machine MACHINE = new Machine();
  private static PodServer pods;

  /** Says what it is asked for and repeats its input; the exit code is the first word of it. */
  private static final class Machine implements ContainerSessions {
    private final LinkedBlockingQueue<String> closed = new LinkedBlockingQueue<>();
    private volatile int echo;

    @Override
    public boolean serves(String node) {
      return node.equals("local");
    }

    @Override
    public Optional<Session> open(Wish wish, Output output) {
      if (wish.container().equals("idle")) {
        return Optional.empty();
      }
      return Optional.of(new Echo(wish, output));
    }

    @Override
    public Socket connect(String pod, int port) throws IOException {
      if (port == 7) {
        return new Socket(InetAddress.getLoopbackAddress(), echo);
      }
      throw new IOException("nobody listens");
    }

    private final class Echo implements Session {
      private final Wish wish;
      private final Output output;
      private final ByteArrayOutputStream input = new ByteArrayOutputStream();
      private final CompletableFuture<Void> ended = new CompletableFuture<>();

      Echo(Wish wish, Output output) {
        this.wish = wish;
        this.output = output;
      }

      @Override
      public void write(byte[] bytes) {
        input.writeBytes(bytes);
      }

      @Override
      public void endInput() {
        ended.complete(null);
      }

      @Override
      public void resize(int columns, int rows) {
        input.writeBytes("%dx%d".formatted(columns, rows).getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public End await() {
        try {
          if (wish.input()) {
            ended.join();
          }
          String said = wish.container() + wish.command() + wish.terminal() + " " + input;
          output.write("stdout", said.getBytes(StandardCharsets.UTF_8));
          output.write("stderr", "trouble".getBytes(StandardCharsets.UTF_8));
          return new End(wish.command().contains("fail") ? 7 : 0, "");
        } catch (IOException gone) {
          return new End(0, "gone");
        }
      }

      @Override
      public void close() {
        ended.complete(null);
        closed.add(wish.container());
      }
    }
  }

  @BeforeAll
  static void start() {
    pods = new PodServer(ContainerLogs.NONE, MACHINE);
  }

  @AfterAll
  static void stop() {
    pods.close();
  }

  private static WebSocket connect(SocketClient client, String path) {
    return pods.connect(client, path, "v5.channel.k8s.io", "v4.channel.k8s.io");
  }

  /** The next message, as {@code channel:text}. */
  private static String next(SocketClient client) throws InterruptedException {
    byte[] message = client.next();
    assertThat(message).isNotEmpty();
    return message[0] + ":" + new String(message, 1, message.length - 1, StandardCharsets.UTF_8);
  }

  @Test
  void bothSidesHearEachOther() throws Exception {
    var client = new SocketClient();
    WebSocket socket =
        connect(client, "/one/exec?command=cat&command=-&stdin=true&stdout=true&stderr=true");

    assertThat(socket.getSubprotocol()).isEqualTo("v5.channel.k8s.io");
    send(socket, 0, "hello ");
    send(socket, 4, "{\"Width\":80,\"Height\":25}");
    socket.sendPing(ByteBuffer.wrap(new byte[] {1})).join();
    socket.sendBinary(ByteBuffer.wrap(new byte[] {(byte) 255, 0}), true).join();

    assertThat(next(client)).isEqualTo("1:main[cat, -]false hello 80x25");
    assertThat(next(client)).isEqualTo("2:trouble");
    assertThat(next(client)).isEqualTo("3:{\"metadata\":{},\"status\":\"Success\"}");
    assertThat(MACHINE.closed.poll(20, TimeUnit.SECONDS)).isEqualTo("main");
  }

  private static void send(WebSocket socket, int channel, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer message = ByteBuffer.allocate(bytes.length + 1);
    message.put((byte) channel).put(bytes).flip();
    socket.sendBinary(message, true).join();
  }

  @Test
  void exitCodesAreToldAsKubernetesTellsThem() throws Exception {
    var client = new SocketClient();
    connect(client, "/one/exec?command=fail&stdout=true");

    assertThat(next(client)).startsWith("1:main[fail]");
    assertThat(next(client))
        .isEqualTo(
            "3:{\"details\":{\"causes\":[{\"message\":\"7\",\"reason\":\"ExitCode\"}]},"
                + "\"message\":\"command terminated with exit code 7\",\"metadata\":{},"
                + "\"reason\":\"NonZeroExitCode\",\"status\":\"Failure\"}");
    assertThat(MACHINE.closed.poll(20, TimeUnit.SECONDS)).isEqualTo("main");
  }

  @Test
  void aContainerThatDoesNotRunIsTold() throws Exception {
    var client = new SocketClient();
    connect(client, "/idle/attach?stdout=true");

    assertThat(next(client)).startsWith("3:").contains("of pod \\\"idle\\\" does not run");
  }

  @Test
  void aClientThatLeavesEndsItsTalk() throws Exception {
    WebSocket socket = connect(new SocketClient(), "/one/attach?stdin=true&stdout=true");

    socket.abort();

    assertThat(MACHINE.closed.poll(20, TimeUnit.SECONDS)).isEqualTo("main");
  }

  @Test
  void portsAreForwardedOverChannels() throws Exception {
    try (var echo = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      MACHINE.echo = echo.getLocalPort();
      Thread.ofVirtual().start(() -> echo(echo));
      var client = new SocketClient();
      WebSocket socket =
          pods.connect(client, "/one/portforward?ports=7&ports=9", "v4.channel.k8s.io");

      for (byte channel = 0; channel < 4; channel++) {
        assertThat(client.next()).containsExactly(channel, channel < 2 ? 7 : 9, 0);
      }
      assertThat(next(client)).isEqualTo("3:nobody listens");
      send(socket, 0, "hello");
      assertThat(next(client)).isEqualTo("0:hello");
      send(socket, 8, "to no port");
      send(socket, 0, "again");
      assertThat(next(client)).isEqualTo("0:again");
      socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    }
  }

  private static void echo(ServerSocket server) {
    try (Socket socket = server.accept()) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException ended) {
      // The client has closed the connection.
    }
  }

  record Case(String path, int code, String want) {}

  static final List<Case> CASES =
      List.of(
          new Case("/nobody/exec?command=a&stdout=true", 404, "pods \"nobody\" not found"),
          new Case("/unbound/exec?command=a&stdout=true", 400, "does not have a host assigned"),
          new Case("/elsewhere/exec?command=a&stdout=true", 400, "only pretends to run pods"),
          new Case("/elsewhere/attach?stdout=true", 400, "only pretends to run pods"),
          new Case("/elsewhere/portforward", 400, "only pretends to run pods"),
          new Case("/unbound/portforward", 400, "does not have a host assigned"),
          new Case(
              "/one/portforward?ports=80",
              400,
              "SPDY/3.1+portforward.k8s.io or v4.channel.k8s.io; SPDY is not"),
          new Case("/one/exec?stdout=true", 400, "at least 1 command"),
          new Case("/one/exec?command=a", 400, "at least 1 of stdin, stdout, stderr"),
          new Case("/one/exec?command=a&stdout=true&container=x", 400, "container x is not valid"),
          new Case("/one/exec?command=a&stdout=true", 400, "SPDY is not spoken here"));

  @ParameterizedTest
  @FieldSource("CASES")
  void whatCannotBeIsRefusedWithTheWayOut(Case c) {
    HttpResponse<String> response = pods.get(c.path());

    assertThat(response.statusCode()).isEqualTo(c.code());
    assertThat(response.body()).contains(c.want().replace("\"", "\\\""));
    // As clients that know only SPDY ask.
    assertThat(pods.post(c.path()).statusCode()).isEqualTo(c.code());
  }
}
