package dev.sluice.dashboard;

import dev.sluice.apiserver.jetty.JettyServer;
import dev.sluice.model.tree.Json;
import dev.sluice.runtime.Cluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The server of the page, reachable from this machine only. It never changes anything.
 *
 * <p>Threads: start and close it from one thread.
 */
public final class Dashboard implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final List<String> OUR_NAMES = List.of(LOOPBACK, "localhost");

  private final JettyServer server;

  /** A page about a cluster; port 0 takes any free one. */
  public Dashboard(Cluster cluster, int port) {
    var settings = JettyServer.Settings.forPages("dashboard", LOOPBACK, port);
    this.server = new JettyServer(settings, Optional.empty());
    server.handler(new Pages(cluster));
  }

  /** Starts to serve; fails if the port is in use. */
  public void start() throws IOException {
    server.start();
  }

  public String url() {
    return "http://" + LOOPBACK + ":" + server.port() + "/";
  }

  @Override
  public void close() {
    server.close();
  }

  private static final class Pages extends Handler.Abstract {
    private final Cluster cluster;
    private final byte[] page = resource("/dashboard/index.html");
    private final byte[] script = resource("/dashboard/overview.js");

    Pages(Cluster cluster) {
      this.cluster = cluster;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      // Another site that points its own host name at this machine must not read the queues.
      if (!OUR_NAMES.contains(Request.getServerName(request))) {
        Response.writeError(request, response, callback, 403);
        return true;
      }
      switch (Request.getPathInContext(request)) {
        case "/" -> send(response, callback, "text/html; charset=utf-8", page);
        case "/overview.js" -> send(response, callback, "text/javascript; charset=utf-8", script);
        case "/api/overview" ->
            send(response, callback, "application/json", Json.bytes(QueueOverview.of(cluster)));
        default -> Response.writeError(request, response, callback, 404);
      }
      return true;
    }

    private static void send(Response response, Callback callback, String type, byte[] body) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      response
          .getHeaders()
          .put("Content-Security-Policy", "default-src 'self'; style-src 'unsafe-inline'");
      response.getHeaders().put("X-Content-Type-Options", "nosniff");
      response.write(true, ByteBuffer.wrap(body), callback);
    }

    private static byte[] resource(String path) {
      try (InputStream file =
          Objects.requireNonNull(Dashboard.class.getResourceAsStream(path), path)) {
        return file.readAllBytes();
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
  }
}
