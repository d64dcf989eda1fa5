package dev.sluice.kubernetes.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.kubernetes.serving.OpsServer.Endpoints;
import dev.sluice.runtime.MetricPages;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class OpsServerTest {
  private static final HostAndPort ANYWHERE = new HostAndPort("127.0.0.1", 0);

  @Test
  void readinessSaysWhatIsMissing() throws Exception {
    var missing = new CopyOnWriteArrayList<>(List.of("caches", "webhooks"));
    try (var server = OpsServer.health(ANYWHERE, Endpoints.NORMAL, () -> List.copyOf(missing))) {
      server.start();

      assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
      assertThat(get(server, "/readyz").statusCode()).isEqualTo(503);
      assertThat(get(server, "/readyz").body()).isEqualTo("not ready: caches, webhooks");
      missing.clear();
      assertThat(get(server, "/readyz").statusCode()).isEqualTo(200);
      assertThat(get(server, "/").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void healthMayBeAskedForUnderOtherNames() throws Exception {
    try (var server = OpsServer.health(ANYWHERE, new Endpoints("/alive", "ready"), List::of)) {
      server.start();

      assertThat(get(server, "/alive").statusCode()).isEqualTo(200);
      assertThat(get(server, "/ready").statusCode()).isEqualTo(200);
      assertThat(get(server, "/healthz").body()).isEqualTo("here are /alive and /ready");
    }
    assertThatThrownBy(() -> new Endpoints("same", "/same")).hasMessageContaining("/same for both");
  }

  @Test
  void metricsAreWhatPrometheusReads() throws Exception {
    try (var server = OpsServer.metrics(ANYWHERE, () -> "sluice_leads 1\n", MetricPages.NONE)) {
      server.start();

      var answer = get(server, "/metrics");

      assertThat(answer.body()).isEqualTo("sluice_leads 1\n");
      assertThat(answer.headers().firstValue("content-type").orElse(""))
          .startsWith("text/plain; version=0.0.4");
    }
  }

  @Test
  void morePagesOfMetricsHavePathsOfTheirOwn() throws Exception {
    try (var server =
        OpsServer.metrics(
            ANYWHERE,
            () -> "",
            path -> path.equals("/metrics/more") ? Optional.of("more 1\n") : Optional.empty())) {
      server.start();

      assertThat(get(server, "/metrics/more").body()).isEqualTo("more 1\n");
      assertThat(get(server, "/metrics/none").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aDefectIsAnAnswerToo() throws Exception {
    try (var server =
        OpsServer.metrics(
            ANYWHERE,
            () -> {
              throw new IllegalStateException("on purpose");
            },
            MetricPages.NONE)) {
      server.start();

      assertThat(get(server, "/metrics").statusCode()).isEqualTo(500);
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    try (var first = OpsServer.health(ANYWHERE, Endpoints.NORMAL, List::of)) {
      first.start();
      var second =
          OpsServer.health(new HostAndPort("127.0.0.1", first.port()), Endpoints.NORMAL, List::of);

      assertThatThrownBy(second::start)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot serve health on 127.0.0.1:" + first.port());
    }
  }

  private static HttpResponse<String> get(OpsServer server, String path)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var address = URI.create("http://127.0.0.1:" + server.port() + path);
      return client.send(
          HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    }
  }
}
