package dev.sluice.kubernetes.serving;

import dev.sluice.apiserver.jetty.JettyServer;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small web server: every request has a virtual thread and gets one whole answer.
 *
 * <p>Threads: safe.
 */
final class WebServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);

  /** Answers requests. */
  interface Pages {
    Reply answer(Asked asked);
  }

  /** What was asked for. */
  interface Asked {
    /** Such as {@code GET}. */
    String method();

    String path();

    /** What comes behind the question mark, encoded; empty if nothing does. */
    String query();

    /** The values of a header, one for each time it was sent. */
    List<String> headers(String name);

    /** The names of the headers that were sent, in lower case. */
    SortedSet<String> headerNames();

    /** What the caller showed in the TLS handshake, its own certificate first. */
    List<X509Certificate> certificates();

    /**
     * What was sent.
     *
     * @throws ApiException if it is longer than {@code limit}
     */
    byte[] body(int limit);
  }

  /** A whole answer. */
  @SuppressWarnings("ArrayRecordComponent") // it is only passed on to the network
  record Reply(int code, String type, byte[] body) {
    static Reply text(int code, String text) {
      return new Reply(code, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    static Reply json(int code, Tree tree) {
      return new Reply(code, "application/json", Json.bytes(tree));
    }
  }

  private final JettyServer server;
  private final String name;
  private final HostAndPort address;

  /**
   * @param name what is served, in a word
   * @param address where to listen; port 0 takes any free one
   * @param tls with which certificate; empty for plain HTTP
   */
  WebServer(String name, HostAndPort address, Optional<ServingTls> tls, Pages pages) {
    this.name = name;
    this.address = address;
    this.server =
        new JettyServer(
            JettyServer.Settings.forPages(name, address.host(), address.port()),
            tls.map(ServingTls::factory));
    server.handler(new Edge(pages));
  }

  /**
   * Begins to serve.
   *
   * @throws IllegalArgumentException if it cannot listen there
   */
  void start() {
    try {
      server.start();
    } catch (IOException failed) {
      throw new IllegalArgumentException(
          "cannot serve %s on %s: %s; choose another address"
              .formatted(name, address, failed.getMessage()),
          failed);
    }
  }

  /** The port it listens on. */
  int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
  }

  /** Turns requests into answers and whatever goes wrong into a word for the caller. */
  private static final class Edge extends Handler.Abstract {
    private final Pages pages;

    Edge(Pages pages) {
      this.pages = pages;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      Reply answer = answer(request);
      response.setStatus(answer.code());
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      response.write(true, ByteBuffer.wrap(answer.body()), callback);
      return true;
    }

    private Reply answer(Request request) {
      try {
        return pages.answer(new JettyAsked(request));
      } catch (ApiException refused) {
        return Reply.text(refused.failure().reason().code(), refused.failure().message());
      } catch (MalformedText malformed) {
        return Reply.text(400, String.valueOf(malformed.getMessage()));
      } catch (RuntimeException broken) {
        LOG.error("{} failed: a defect, please report it", request.getHttpURI(), broken);
        return Reply.text(500, "a defect of the manager, its log has more: " + broken);
      }
    }
  }

  private record JettyAsked(Request request) implements Asked {
    @Override
    public String method() {
      return request.getMethod();
    }

    @Override
    public String query() {
      String query = request.getHttpURI().getQuery();
      return query == null ? "" : query;
    }

    @Override
    public List<String> headers(String name) {
      return request.getHeaders().getValuesList(name);
    }

    @Override
    public SortedSet<String> headerNames() {
      var names = new TreeSet<String>();
      request.getHeaders().forEach(field -> names.add(field.getName().toLowerCase(Locale.ROOT)));
      return names;
    }

    @Override
    public List<X509Certificate> certificates() {
      return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                  instanceof EndPoint.SslSessionData session
              && session.peerCertificates() != null
          ? List.of(session.peerCertificates())
          : List.of();
    }

    @Override
    public String path() {
      return Request.getPathInContext(request);
    }

    @Override
    public byte[] body(int limit) {
      try (var stream = Content.Source.asInputStream(request)) {
        byte[] body = stream.readNBytes(limit + 1);
        if (body.length > limit) {
          throw ApiFailure.because(
              Reason.REQUEST_ENTITY_TOO_LARGE,
              "the request is longer than %d bytes".formatted(limit));
        }
        return body;
      } catch (IOException gone) {
        throw new UncheckedIOException(gone);
      }
    }
  }
}
