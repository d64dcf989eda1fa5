package dev.sluice.apiserver.jetty;

import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/**
 * A Jetty server with one port. Every request has a virtual thread of its own, responses do not
 * name the server, and with TLS clients may choose HTTP/2.
 *
 * <p>Threads: safe; start and close it from one thread.
 */
public final class JettyServer implements AutoCloseable {

  /**
   * The address and the limits of a server.
   *
   * @param name a word for what is served, also in the names of its threads
   * @param host empty for all addresses of this machine
   * @param port 0 for any free one
   * @param maxRequests the number of requests served at once, others wait; 0 for no limit
   * @param idle the idle timeout of connections
   * @param idleStream the idle timeout of one request over HTTP/2, which Jetty resets even if it is
   *     a quiet watch; zero for Jetty's own limit
   * @param farewell how long requests in flight may continue when the server stops
   */
  public record Settings(
      String name,
      String host,
      int port,
      int maxRequests,
      Duration idle,
      Duration idleStream,
      Duration farewell) {
    private static final Duration USUAL_IDLE = Duration.ofSeconds(30);
    private static final Duration USUAL_FAREWELL = Duration.ofSeconds(5);

    /** Requests beyond it wait: what clients send must not fill the memory. */
    private static final int USUAL_REQUESTS = 256;

    /** Settings for short requests, which are answered at once. */
    public static Settings forPages(String name, String host, int port) {
      return new Settings(
          name, host, port, USUAL_REQUESTS, USUAL_IDLE, Duration.ZERO, USUAL_FAREWELL);
    }
  }

  private final Settings settings;
  private final Server server;
  private final ServerConnector connector;

  /**
   * @param tls the certificate; empty for plain HTTP/1.1
   */
  public JettyServer(Settings settings, Optional<SslContextFactory.Server> tls) {
    this.settings = settings;
    var threads = new VirtualThreadPool();
    threads.setName(settings.name());
    threads.setMaxConcurrentTasks(settings.maxRequests());
    this.server = new Server(threads);
    this.connector =
        tls.map(this::secured).orElseGet(() -> new ServerConnector(server, http(configuration())));
    connector.setHost(settings.host().isEmpty() ? null : settings.host());
    connector.setPort(settings.port());
    connector.setIdleTimeout(settings.idle().toMillis());
    server.addConnector(connector);
    server.setStopTimeout(settings.farewell().toMillis());
  }

  private static HttpConfiguration configuration() {
    var configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    // IP addresses have no server names, and kubectl connects to 127.0.0.1.
    configuration.addCustomizer(new SecureRequestCustomizer(false));
    return configuration;
  }

  private static HttpConnectionFactory http(HttpConfiguration configuration) {
    return new HttpConnectionFactory(configuration);
  }

  private ServerConnector secured(SslContextFactory.Server certificate) {
    HttpConfiguration configuration = configuration();
    HttpConnectionFactory http1 = http(configuration);
    var http2 = new HTTP2ServerConnectionFactory(configuration);
    http2.setStreamIdleTimeout(settings.idleStream().toMillis());
    var alpn = new ALPNServerConnectionFactory();
    alpn.setDefaultProtocol(http1.getProtocol());
    var tls = new SslConnectionFactory(certificate, alpn.getProtocol());
    return new ServerConnector(server, tls, alpn, http2, http1);
  }

  /** Jetty itself, to attach components to it. */
  public Server jetty() {
    return server;
  }

  /** Sets the handler of requests; to be called before the start. */
  public void handler(Handler handler) {
    server.setHandler(handler);
  }

  /**
   * Starts to serve.
   *
   * @throws IOException if it cannot listen on its port; nothing of it runs then
   */
  public void start() throws IOException {
    try {
      server.start();
    } catch (Exception failed) {
      close();
      if (failed instanceof IOException unable) {
        throw unable;
      }
      if (failed.getCause() instanceof BindException taken) {
        throw new IOException(failed.getMessage(), taken);
      }
      throw new IllegalStateException(settings.name() + " cannot be served", failed);
    }
  }

  /** The port it listens on. */
  public int port() {
    return connector.getLocalPort();
  }

  /** Accepts no more connections; open ones stay open. */
  public void stopListening() {
    connector.close();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception failed) {
      throw new IllegalStateException(settings.name() + " did not stop cleanly", failed);
    }
  }
}
