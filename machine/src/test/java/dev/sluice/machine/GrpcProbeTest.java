package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.controllers.nodes.local.Containers.Check;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Against a server that somebody else wrote the HTTP/2 of. */
@Timeout(60)
class GrpcProbeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Server server = new Server();
  private final ServerConnector connector =
      new ServerConnector(server, new HTTP2CServerConnectionFactory(new HttpConfiguration()));
  private final AtomicReference<String> asked = new AtomicReference<>("");

  /** The message of the answer as digits; no answer but trailers if it is empty. */
  private volatile String message = "";

  @BeforeEach
  void open() throws Exception {
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(new HealthService());
    server.start();
  }

  @AfterEach
  void close() throws Exception {
    server.stop();
  }

  private final class HealthService extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      ByteBuffer body = Content.Source.asByteBuffer(request);
      byte[] bytes = new byte[body.remaining()];
      body.get(bytes);
      asked.set(
          "%s %s %s %s %s"
              .formatted(
                  request.getMethod(),
                  request.getHttpURI().getPath(),
                  request.getHeaders().get("content-type"),
                  request.getHeaders().get("te"),
                  HexFormat.of().formatHex(bytes)));
      response.getHeaders().put("content-type", "application/grpc");
      response.setTrailersSupplier(() -> HttpFields.build().put("grpc-status", "0"));
      response.write(true, ByteBuffer.wrap(HexFormat.of().parseHex(message)), callback);
      return true;
    }
  }

  private String ask(String service) throws IOException {
    return GrpcProbe.ask(new Check.Grpc("127.0.0.1", connector.getLocalPort(), service), PATIENCE);
  }

  record Case(String name, String message, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("serves", "00000000020801", ""),
          new Case(
              "does not", "00000000020802", "service unhealthy (responded with \"NOT_SERVING\")"),
          new Case("is not known", "00000000020803", "(responded with \"SERVICE_UNKNOWN\")"),
          new Case("does not know", "0000000000", "(responded with \"UNKNOWN\")"),
          new Case("says something new", "00000000020809", "(responded with \"9\")"),
          new Case("does not answer", "", "does not implement the gRPC health protocol"));

  @ParameterizedTest
  @FieldSource("CASES")
  void tellsHowTheServerIs(Case c) throws IOException {
    message = c.message();

    String wrong = ask("");

    if (c.want().isEmpty()) {
      assertThat(wrong).isEmpty();
    } else {
      assertThat(wrong).contains(c.want());
    }
  }

  @Test
  void theCallIsThatOfTheProtocol() throws IOException {
    message = "00000000020801";

    assertThat(ask("")).isEmpty();
    assertThat(asked.get())
        .isEqualTo("POST /grpc.health.v1.Health/Check application/grpc trailers 0000000000");
    assertThat(ask("ab")).isEmpty();
    assertThat(asked.get()).endsWith(" 00000000040a026162");
    assertThat(ask("a".repeat(200))).isEmpty();
    assertThat(asked.get()).contains(" 00000000cb0ac8016161");
    assertThatThrownBy(() -> ask("a".repeat(20_000))).hasMessageContaining("too long");
  }

  @Test
  void serverOfAnotherProtocolIsNamed() throws Exception {
    assertThat(answerOf("HTTP/1.1 400 Bad Request\r\n\r\n")).isEqualTo("the answer is no HTTP/2");
    assertThat(answerOf("")).isEqualTo("the server left without an answer");
  }

  /** What is said of one who gives this answer to everything. */
  private static String answerOf(String text) throws IOException {
    try (var other = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(() -> {
            try (Socket client = other.accept()) {
              client.getInputStream().read(new byte[4096]);
              client.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
              client.shutdownOutput();
              client.getInputStream().readAllBytes();
            } catch (IOException gone) {
              // The one who asked has left.
            }
          });
      var question = new Check.Grpc("127.0.0.1", other.getLocalPort(), "");
      try {
        return GrpcProbe.ask(question, PATIENCE);
      } catch (IOException failed) {
        return String.valueOf(failed.getMessage());
      }
    }
  }
}
