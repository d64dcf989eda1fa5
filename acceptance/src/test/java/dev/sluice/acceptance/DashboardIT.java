package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.RequiresKubectl;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page about the queues, over HTTP. */
@Timeout(120)
@RequiresKubectl
class DashboardIT {
  private static final Pattern URL = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/");

  @TempDir private Path directory;

  @Test
  void itShowsTheQueuesAndWhyWorkloadsWait() throws Exception {
    try (SluiceProcess sluice = up()) {
      URI page = page(sluice.readyLine());
      Kubectl.with(directory.resolve("kubeconfig"))
          .run("apply", "-f", FirstThread.SCENARIO)
          .orFail();

      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> {
            assertThat(overview(page).toString()).contains("2 more needed");
            Tree queue = overview(page).trees("queues").getFirst();
            assertThat(queue.text("name")).isEqualTo("research");
            assertThat(queue.trees("quotas"))
                .containsExactly(
                    Tree.of("flavor", "simulated", "resource", "cpu", "used", "4", "nominal", "4"));
          });

      assertThat(overview(page).trees("workloads")).hasSize(3);
      assertThat(get(page)).contains("<title>Sluice</title>");
      assertThat(get(page.resolve("/overview.js"))).contains("/api/overview");
    }
  }

  @Test
  void aForeignNameForThisMachineIsRefused() throws IOException {
    try (SluiceProcess sluice = up()) {
      URI page = page(sluice.readyLine());

      try (var socket = new Socket(InetAddress.getLoopbackAddress(), page.getPort())) {
        socket
            .getOutputStream()
            .write(
                "GET /api/overview HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        String answer =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

        assertThat(answer).startsWith("HTTP/1.1 403");
      }
    }
  }

  private SluiceProcess up() {
    return SluiceProcess.up(directory, "--dashboard-port", "0");
  }

  private static URI page(String readyLine) {
    Matcher url = URL.matcher(readyLine);
    assertThat(url.find()).as(readyLine).isTrue();
    return URI.create(url.group());
  }

  private static Tree overview(URI page) throws IOException, InterruptedException {
    return Json.parse(get(page.resolve("/api/overview"))).asTree();
  }

  private static String get(URI uri) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
      return response.body();
    }
  }
}
