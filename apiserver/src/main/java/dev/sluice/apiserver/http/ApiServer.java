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
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/**
 * Serves the Kubernetes API on a port of this machine, over TLS, in HTTP/1.1 and HTTP/2.
 *
 * <p>Threads: safe. Every request has a virtual thread of its own.
 */
public final class ApiServer implements AutoCloseable {
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  private final Server server;
  private final ServerConnector connector;
  private final OpenWatches watches = new OpenWatches();
  private final ActiveRequests active = new ActiveRequests();
  private final int wantedPort;

  /**
   * What is served beside the stored objects.
   *
   * @param metrics their text, in the format of Prometheus
   * @param logs of the containers of nodes that keep them
   * @param sessions with the containers of nodes that really run them
   * @param pages of metrics at other paths
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
    var threads = new VirtualThreadPool();
    threads.setName("apiserver");
    threads.setMaxConcurrentTasks(0);
    this.server = new Server(threads);
    this.connector = connector(server, certificates, limits);
    connector.setHost("127.0.0.1");
    connector.setPort(port);
    server.addConnector(connector);
    server.setHandler(handler(registry, store, time, certificates, extras, limits));
    // Nothing is left to wait for once close() comes to stopping it.
    server.setStopTimeout(0);
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
        new WebSockets(server),
        active,
        limits.bodyBytes());
  }

  private static ServerConnector connector(
      Server server, Certificates certificates, Limits limits) {
    var configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    // Addresses have no server names, and kubectl talks to 127.0.0.1.
    configuration.addCustomizer(new SecureRequestCustomizer(false));
    var http1 = new HttpConnectionFactory(configuration);
    var http2 = new HTTP2ServerConnectionFactory(configuration);
    // Jetty resets an idle stream without asking whether it is a watch, which may be quiet.
    http2.setStreamIdleTimeout(ApiHandler.MAX_QUIET.toMillis());
    var alpn = new ALPNServerConnectionFactory();
    alpn.setDefaultProtocol(http1.getProtocol());
    var tls = new SslConnectionFactory(ServerTls.of(certificates), alpn.getProtocol());
    var connector = new ServerConnector(server, tls, alpn, http2, http1);
    connector.setIdleTimeout(limits.idle().toMillis());
    return connector;
  }

  /**
   * Begins to serve.
   *
   * @throws PortInUseException if something else listens on the port
   */
  public void start() {
    try {
      server.start();
    } catch (Exception failed) {
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
    return connector.getLocalPort();
  }

  /** Ends all watches in good order, lets the requests in flight finish, and stops. */
  @Override
  public void close() {
    connector.close();
    watches.endAll();
    try {
      active.close(FAREWELL);
      server.stop();
    } catch (Exception failed) {
      throw new IllegalStateException("the API server did not stop cleanly", failed);
    }
  }
}
