package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.UncachedObjects;
import dev.sluice.kubernetes.serving.ServingCertificates.Names;
import dev.sluice.kubernetes.serving.WebServer.Asked;
import dev.sluice.kubernetes.serving.WebServer.Reply;
import dev.sluice.runtime.MetricPages;
import dev.sluice.runtime.TimeSource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The server for operators of the manager: liveness and readiness over plain HTTP, and metrics
 * ({@code /metrics}) over plain HTTP, or over HTTPS for callers that the cluster lets read them.
 *
 * <p>Threads: safe.
 */
public final class OpsServer implements AutoCloseable {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final WebServer server;

  /** Renews the certificate of the server; empty for plain HTTP. */
  private final Optional<CalledServer> renewal;

  private OpsServer(WebServer server, Optional<CalledServer> renewal) {
    this.server = server;
    this.renewal = renewal;
  }

  private static OpsServer plain(String name, HostAndPort address, WebServer.Pages pages) {
    return new OpsServer(new WebServer(name, address, Optional.empty(), pages), Optional.empty());
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
    return plain("health", address, asked -> health(asked.path(), endpoints, missing));
  }

  /**
   * Serves metrics.
   *
   * @param metrics their text, in the format of Prometheus
   * @param pages more of them, at other paths
   */
  public static OpsServer metrics(
      HostAndPort address, Supplier<String> metrics, MetricPages pages) {
    return plain("metrics", address, asked -> metrics(asked, metrics, pages));
  }

  /**
   * Serves metrics as Kueue does: over HTTPS with a certificate of its own, which no authority
   * signs, to callers whose bearer token the cluster knows and that may get the path there.
   */
  public static OpsServer guardedMetrics(
      HostAndPort address,
      TlsPolicy policy,
      UncachedObjects objects,
      TimeSource time,
      Supplier<String> metrics,
      MetricPages pages) {
    var guard = new MetricsGuard(objects);
    var tls = ServingTls.forAnybody(policy);
    var server =
        new WebServer(
            "metrics",
            address,
            Optional.of(tls),
            asked -> {
              guard.check(asked);
              return metrics(asked, metrics, pages);
            });
    var names = new Names(List.of("localhost"), List.of());
    var keeper = new CertificateKeeper(objects, Optional.empty(), names, time);
    return new OpsServer(
        server,
        Optional.of(
            new CalledServer(
                "metrics", keeper, tls, server, CalledServer.Registration.NONE, time)));
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
    renewal.ifPresentOrElse(CalledServer::serve, server::start);
  }

  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    renewal.ifPresentOrElse(CalledServer::close, server::close);
  }
}
