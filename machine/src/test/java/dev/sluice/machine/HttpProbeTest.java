package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.sluice.controllers.nodes.local.Containers.Check;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.core.pod.Probe.Header;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HttpProbeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private ServerSocket server;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  /** Gives the next one who asks this answer; returns what was asked. */
  private CompletableFuture<String> answer(String text) {
    var asked = new CompletableFuture<String>();
    Thread.ofVirtual()
        .start(() -> {
          try (Socket client = server.accept()) {
            byte[] buffer = new byte[4096];
            int count = client.getInputStream().read(buffer);
            client.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            asked.complete(new String(buffer, 0, count, StandardCharsets.UTF_8));
          } catch (IOException failed) {
            asked.completeExceptionally(failed);
          }
        });
    return asked;
  }

  private Check.Http page(String path, Header... headers) {
    return new Check.Http(
        "http://127.0.0.1:%d%s".formatted(server.getLocalPort(), path), List.of(headers));
  }

  @Test
  void theRequestIsThatOfAKubelet() throws Exception {
    CompletableFuture<String> asked = answer("HTTP/1.1 204 No Content\r\n\r\n");

    int code = HttpProbe.ask(page("/ready?now=1"), PATIENCE);

    assertThat(code).isEqualTo(204);
    assertThat(asked.get(20, TimeUnit.SECONDS))
        .startsWith("GET /ready?now=1 HTTP/1.1\r\nHost: 127.0.0.1:" + server.getLocalPort())
        .contains("\r\nUser-Agent: kube-probe/1.36\r\n", "\r\nConnection: close\r\n");
  }

  @Test
  void headersOfTheUserReplaceOurs() throws Exception {
    CompletableFuture<String> asked = answer("HTTP/1.0 200\r\n\r\n");

    int code =
        HttpProbe.ask(
            page("/", new Header("host", "example.com"), new Header("X-Key", "a b")), PATIENCE);

    assertThat(code).isEqualTo(200);
    assertThat(asked.get(20, TimeUnit.SECONDS))
        .contains("\r\nhost: example.com\r\n", "\r\nX-Key: a b\r\n")
        .doesNotContain("Host: 127");
  }

  @Test
  void whatWouldBeMoreThanAHeaderIsNotSent() {
    var smuggled = new Header("A", "b\r\nC: d");

    assertThatThrownBy(() -> HttpProbe.ask(page("/", smuggled), PATIENCE))
        .hasMessageContaining("httpHeaders: A cannot be sent");
  }

  @Test
  void anAnswerThatIsNoHttpIsShown() {
    CompletableFuture<String> asked = answer("SSH-2.0-OpenSSH\r\n");

    assertThatThrownBy(() -> HttpProbe.ask(page("/"), PATIENCE))
        .hasMessageContaining("no HTTP: SSH-2.0-OpenSSH");
    assertThat(asked).succeedsWithin(PATIENCE);
  }

  @Test
  void slowServerFailsTheProbe() {
    assertThatThrownBy(() -> HttpProbe.ask(page("/"), Duration.ofMillis(200)))
        .hasMessageContaining("timed out");
  }

  @Test
  void aHookTakesAnyAnswerForAGoodOne() throws Exception {
    CompletableFuture<String> asked = answer("HTTP/1.1 500 Oh\r\n\r\n");
    State.Ended well = Checks.call(page("/"), PATIENCE, Instant.EPOCH);
    server.close();
    State.Ended badly = Checks.call(page("/"), PATIENCE, Instant.EPOCH);

    assertThat(asked).succeedsWithin(PATIENCE);
    assertThat(well.exitCode()).isZero();
    assertThat(badly.exitCode()).isEqualTo(1);
    assertThat(badly.message()).contains("refused");
  }

  @Test
  void probeDoesNotVerifyTheCertificate(@TempDir Path folder) throws Exception {
    HttpsServer secure =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
    secure.setHttpsConfigurator(new HttpsConfigurator(withOwnCertificate(folder)));
    secure.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    secure.start();
    try {
      String url = "https://127.0.0.1:%d/".formatted(secure.getAddress().getPort());

      assertThat(HttpProbe.ask(new Check.Http(url, List.of()), PATIENCE)).isEqualTo(200);
    } finally {
      secure.stop(0);
    }
  }

  /** Of a certificate that nobody else knows, for another name. */
  private static SSLContext withOwnCertificate(Path folder) throws Exception {
    Path keys = folder.resolve("keys");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    int made =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=other",
                "-storepass",
                "secret",
                "-keypass",
                "secret",
                "-keystore",
                keys.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    assertThat(made).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream bytes = Files.newInputStream(keys)) {
      store.load(bytes, "secret".toCharArray());
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(store, "secret".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}
