package dev.sluice.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.http.ApiServer.Extras;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.ContainerLogs;
import dev.sluice.runtime.ContainerSessions;
import dev.sluice.runtime.MetricPages;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

@Timeout(60)
class SessionEndpointTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final Machine MACHINE = new Machine();
  private static TestServer server;

  /** Says what it is asked for and repeats its input; the exit code is the first word of it. */
  private static final class Machine implements ContainerSessions {
    private final LinkedBlockingQueue<String> closed = new LinkedBlockingQueue<>();

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
        } catch (java.io.IOException gone) {
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
    server =
        TestServer.start(
            new Extras(List.of(), () -> "", ContainerLogs.NONE, MACHINE, MetricPages.NONE));
    create("one", "nodeName: local, containers: [{name: main, image: b}]");
    create("idle", "nodeName: local, containers: [{name: idle, image: b}]");
    create("elsewhere", "nodeName: fake, containers: [{name: main, image: b}]");
    create("unbound", "containers: [{name: main, image: b}]");
  }

  private static void create(String name, String spec) {
    Tree pod =
        Yaml.parseAll(
                "{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {%s}}"
                    .formatted(name, spec))
            .getFirst()
            .asTree();
    assertThat(server.post(PODS, pod).statusCode()).isEqualTo(201);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** Collects messages as {@code channel:text}. */
  private static final class Client implements WebSocket.Listener {
    private final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      byte[] bytes = new byte[data.remaining()];
      data.get(bytes);
      begun.writeBytes(bytes);
      if (last) {
        byte[] whole = begun.toByteArray();
        begun.reset();
        messages.add(
            whole[0] + ":" + new String(whole, 1, whole.length - 1, StandardCharsets.UTF_8));
      }
      socket.request(1);
      return null;
    }

    String next() throws InterruptedException {
      return String.valueOf(messages.poll(20, TimeUnit.SECONDS));
    }
  }

  private static WebSocket connect(Client client, String path) {
    URI uri = URI.create("wss://127.0.0.1:" + server.server.port() + PODS + path);
    return server
        .admin()
        .newWebSocketBuilder()
        .subprotocols("v5.channel.k8s.io", "v4.channel.k8s.io")
        .buildAsync(uri, client)
        .join();
  }

  @Test
  void bothSidesHearEachOther() throws Exception {
    var client = new Client();
    WebSocket socket =
        connect(client, "/one/exec?command=cat&command=-&stdin=true&stdout=true&stderr=true");

    assertThat(socket.getSubprotocol()).isEqualTo("v5.channel.k8s.io");
    send(socket, 0, "hello ");
    send(socket, 4, "{\"Width\":80,\"Height\":25}");
    socket.sendPing(ByteBuffer.wrap(new byte[] {1})).join();
    socket.sendBinary(ByteBuffer.wrap(new byte[] {(byte) 255, 0}), true).join();

    assertThat(client.next()).isEqualTo("1:main[cat, -]false hello 80x25");
    assertThat(client.next()).isEqualTo("2:trouble");
    assertThat(client.next()).isEqualTo("3:{\"metadata\":{},\"status\":\"Success\"}");
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
    var client = new Client();
    connect(client, "/one/exec?command=fail&stdout=true");

    assertThat(client.next()).startsWith("1:main[fail]");
    assertThat(client.next())
        .isEqualTo(
            "3:{\"details\":{\"causes\":[{\"message\":\"7\",\"reason\":\"ExitCode\"}]},"
                + "\"message\":\"command terminated with exit code 7\",\"metadata\":{},"
                + "\"reason\":\"NonZeroExitCode\",\"status\":\"Failure\"}");
    assertThat(MACHINE.closed.poll(20, TimeUnit.SECONDS)).isEqualTo("main");
  }

  @Test
  void aContainerThatDoesNotRunIsTold() throws Exception {
    var client = new Client();
    connect(client, "/idle/attach?stdout=true");

    assertThat(client.next()).startsWith("3:").contains("of pod \\\"idle\\\" does not run");
  }

  @Test
  void aClientThatLeavesEndsItsTalk() throws Exception {
    WebSocket socket = connect(new Client(), "/one/attach?stdin=true&stdout=true");

    socket.abort();

    assertThat(MACHINE.closed.poll(20, TimeUnit.SECONDS)).isEqualTo("main");
  }

  record Case(String path, int code, String want) {}

  static final List<Case> CASES =
      List.of(
          new Case("/nobody/exec?command=a&stdout=true", 404, "pods \"nobody\" not found"),
          new Case("/unbound/exec?command=a&stdout=true", 400, "does not have a host assigned"),
          new Case("/elsewhere/exec?command=a&stdout=true", 400, "only pretends to run pods"),
          new Case("/elsewhere/attach?stdout=true", 400, "only pretends to run pods"),
          new Case("/one/portforward?ports=80", 400, "connect to 127.0.0.1"),
          new Case("/one/exec?stdout=true", 400, "at least 1 command"),
          new Case("/one/exec?command=a", 400, "at least 1 of stdin, stdout, stderr"),
          new Case("/one/exec?command=a&stdout=true&container=x", 400, "container x is not valid"),
          new Case("/one/exec?command=a&stdout=true", 400, "SPDY is not spoken here"));

  @ParameterizedTest
  @FieldSource("CASES")
  void whatCannotBeIsRefusedWithTheWayOut(Case c) {
    HttpResponse<String> response = server.get(PODS + c.path());

    assertThat(response.statusCode()).isEqualTo(c.code());
    assertThat(response.body()).contains(c.want().replace("\"", "\\\""));
    // As clients that know only SPDY ask.
    assertThat(server.post(PODS + c.path(), Tree.EMPTY).statusCode()).isEqualTo(c.code());
  }
}
