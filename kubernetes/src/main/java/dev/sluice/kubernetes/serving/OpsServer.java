package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.serving.WebServer.Asked;
import dev.sluice.kubernetes.serving.WebServer.Reply;
import dev.sluice.runtime.MetricPages;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The server for operators of the manager, over plain HTTP: liveness, readiness and metrics ({@code
 * /metrics}).
 *
 * <p>Threads: safe.
 */
public final class OpsServer implements AutoCloseable {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final WebServer server;

  private OpsServer(String name, HostAndPort address, WebServer.Pages pages) {
    this.server = new WebServer(name, address, Optional.empty(), pages);
  }

  /**
   * The paths at which health is asked for.
   *
   * @param liveness with a slash before it, as the other
   */
  public record Endpoints(String liveness, String readiness) {
    public static final Endpoints NORMAL = new Endpoints("healthz", "readyz");

    /** With or without a slash before them. */
    public Endpoints {
      liveness = "/" + liveness.replaceAll("^/+", "");
      readiness = "/" + readiness.replaceAll("^/+", "");
      if (liveness.equals(readiness)) {
        throw new IllegalArgumentException(
            "liveness and readiness need two endpoints, not %s for both".formatted(liveness));
      }
    }
  }

  /**
   * Serves health.
   *
   * @param missing what is still missing to be ready, in words; empty if nothing is
   */
  public static OpsServer health(
      HostAndPort address, Endpoints endpoints, Supplier<List<String>> missing) {
    return new OpsServer("health", address, asked -> health(asked.path(), endpoints, missing));
  }

  /**
   * Serves metrics.
   *
   * @param metrics their text, in the format of Prometheus
   * @param pages more of them, at other paths
   */
  public static OpsServer metrics(
      HostAndPort address, Supplier<String> metrics, MetricPages pages) {
    return new OpsServer("metrics", address, asked -> metrics(asked, metrics, pages));
  }

  private static Reply health(String path, Endpoints endpoints, Supplier<List<String>> missing) {
    if (path.equals(endpoints.liveness())) {
      return Reply.text(200, "ok");
    }
    return path.equals(endpoints.readiness())
        ? ready(missing.get())
        : Reply.text(
            404, "here are %s and %s".formatted(endpoints.liveness(), endpoints.readiness()));
  }

  private static Reply ready(List<String> missing) {
    return missing.isEmpty()
        ? Reply.text(200, "ok")
        : Reply.text(503, "not ready: " + String.join(", ", missing));
  }

  private static Reply metrics(Asked asked, Supplier<String> metrics, MetricPages pages) {
    Optional<String> text =
        asked.path().equals("/metrics") ? Optional.of(metrics.get()) : pages.page(asked.path());
    return text.map(found -> new Reply(200, PROMETHEUS, found.getBytes(StandardCharsets.UTF_8)))
        .orElseGet(() -> Reply.text(404, "here is /metrics"));
  }

  /**
   * Begins to serve.
   *
   * @throws IllegalArgumentException if it cannot listen there
   */
  public void start() {
    server.start();
  }

  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
  }
}
