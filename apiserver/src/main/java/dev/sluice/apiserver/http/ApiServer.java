package dev.sluice.apiserver.http;

import dev.sluice.apiserver.http.endpoint.ComputedEndpoint;
import dev.sluice.apiserver.http.endpoint.DeleteEndpoint;
import dev.sluice.apiserver.http.endpoint.DiscoveryEndpoint;
import dev.sluice.apiserver.http.endpoint.Health;
import dev.sluice.apiserver.http.endpoint.Lister;
import dev.sluice.apiserver.http.endpoint.LogEndpoint;
import dev.sluice.apiserver.http.endpoint.ReadEndpoint;
import dev.sluice.apiserver.http.endpoint.ResourceEndpoint;
import dev.sluice.apiserver.http.endpoint.SessionEndpoint;
import dev.sluice.apiserver.http.endpoint.WatchEndpoint;
import dev.sluice.apiserver.http.endpoint.WriteEndpoint;
import dev.sluice.apiserver.http.limit.ActiveRequests;
import dev.sluice.apiserver.http.limit.Limits;
import dev.sluice.apiserver.http.request.Representations;
import dev.sluice.apiserver.http.request.Selections;
import dev.sluice.apiserver.http.watch.Freshness;
import dev.sluice.apiserver.http.watch.OpenWatches;
import dev.sluice.apiserver.jetty.JettyServer;
import dev.sluice.apiserver.registry.Registry;
import dev.sluice.apiserver.security.Authenticator;
import dev.sluice.apiserver.security.Authorizer;
import dev.sluice.apiserver.security.Certificates;
import dev.sluice.runtime.ComputedApi;
import dev.sluice.runtime.ContainerLogs;
import dev.sluice.runtime.ContainerSessions;
import dev.sluice.runtime.MetricPages;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.Store;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The Kubernetes API on a port of this machine, over TLS, in HTTP/1.1 and HTTP/2.
 *
 * <p>Threads: safe. Every request has a virtual thread of its own.
 */
public final class ApiServer implements AutoCloseable {
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  private final JettyServer server;
  private final OpenWatches watches = new OpenWatches();
  private final ActiveRequests active = new ActiveRequests();
  private final int wantedPort;

  /**
   * The endpoints beside the stored objects.
   *
   * @param metrics the metrics of {@code /metrics}, in the format of Prometheus
   * @param logs the logs of containers on nodes that keep them
   * @param sessions the sessions with containers on nodes that really run them
   * @param pages metrics at other paths
   */
  public record Extras(
      List<ComputedApi> apis,
      Supplier<String> metrics,
      ContainerLogs logs,
      ContainerSessions sessions,
      MetricPages pages) {
    public static final Extras NONE =
        new Extras(
            List.of(), () -> "", ContainerLogs.NONE, ContainerSessions.NONE, MetricPages.NONE);

    public Extras {
      apis = List.copyOf(apis);
    }
  }

  /**
   * @param port where to listen; 0 for any free port
   */
  public ApiServer(
      Registry registry,
      Store store,
      TimeSource time,
      Certificates certificates,
      int port,
      Extras extras) {
    this(registry, store, time, certificates, port, extras, Limits.NORMAL);
  }

  ApiServer(
      Registry registry,
      Store store,
      TimeSource time,
      Certificates certificates,
      int port,
      Extras extras,
      Limits limits) {
    this.wantedPort = port;
    // No limit: watches are long-running requests. And close() has waited for all requests before
    // it stops the server.
    var settings =
        new JettyServer.Settings(
            "apiserver", "127.0.0.1", port, 0, limits.idle(), ApiHandler.MAX_QUIET, Duration.ZERO);
    this.server = new JettyServer(settings, Optional.of(ServerTls.of(certificates)));
    server.handler(handler(registry, store, time, certificates, extras, limits));
  }

  private ApiHandler handler(
      Registry registry,
      Store store,
      TimeSource time,
      Certificates certificates,
      Extras extras,
      Limits limits) {
    var authorizer = new Authorizer();
    var freshness = new Freshness(store, time);
    var selections = new Selections(registry, store);
    var views = new Representations(registry, time);
    var lister = new Lister(store, freshness);
    var objects =
        new ResourceEndpoint(
            registry,
            authorizer,
            new ReadEndpoint(freshness, selections, lister, views),
            new WatchEndpoint(store, freshness, selections, views, watches, limits),
            new WriteEndpoint(registry, store, views, authorizer),
            new DeleteEndpoint(registry, selections, lister, views),
            new ComputedEndpoint(extras.apis()),
            new LogEndpoint(freshness, extras.logs(), time, watches, limits),
            new SessionEndpoint(freshness, authorizer, extras.sessions()),
            limits);
    return new ApiHandler(
        new Authenticator(certificates.authority(), time),
        authorizer,
        objects,
        new DiscoveryEndpoint(objects::kinds, new Health(store), extras.metrics(), extras.pages()),
        new WebSockets(server.jetty()),
        active,
        limits.bodyBytes(),
        time);
  }

  /**
   * Starts to serve.
   *
   * @throws PortInUseException if another process listens on the port
   */
  public void start() {
    try {
      server.start();
    } catch (IOException | IllegalStateException failed) {
      close();
      if (failed instanceof BindException || failed.getCause() instanceof BindException) {
        throw new PortInUseException(wantedPort, failed);
      }
      throw new IllegalStateException(
          "the API server could not start on port " + wantedPort, failed);
    }
  }

  /** The port it listens on. */
  public int port() {
    return server.port();
  }

  /** Ends all watches in an orderly way, lets the requests in flight finish, and stops. */
  @Override
  public void close() {
    server.stopListening();
    watches.endAll();
    try {
      active.close(FAREWELL);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException("the API server did not stop cleanly", interrupted);
    }
    server.close();
  }
}
