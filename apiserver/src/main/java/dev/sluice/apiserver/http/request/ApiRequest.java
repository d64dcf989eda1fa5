package dev.sluice.apiserver.http.request;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One HTTP request, and the warnings for its response. Threads: one. */
public final class ApiRequest {
  private static final Logger LOG = LoggerFactory.getLogger(ApiRequest.class);

  /**
   * The number of characters of warnings that are sent, as in Kubernetes: clients limit their
   * headers.
   */
  private static final int WARNED = 4096;

  private final Request request;
  private final int bodyLimit;
  private final Query query;
  private final Set<String> warnings = new LinkedHashSet<>();

  public ApiRequest(Request request, int bodyLimit) {
    this.request = request;
    this.bodyLimit = bodyLimit;
    this.query =
        Optional.ofNullable(request.getHttpURI().getQuery()).map(Query::parse).orElse(Query.NONE);
  }

  public String method() {
    return request.getMethod();
  }

  public String path() {
    return request.getHttpURI().getPath();
  }

  public Query query() {
    return query;
  }

  /** All headers of a name as one list, empty if there are none. */
  public String header(HttpHeader name) {
    return String.join(",", request.getHeaders().getValuesList(name));
  }

  /** Whether the caller impersonates another user. */
  public boolean impersonates() {
    return request.getHeaders().stream()
        .anyMatch(field -> field.getLowerCaseName().startsWith("impersonate-"));
  }

  public boolean wantsWebSocket() {
    return header(HttpHeader.UPGRADE).equalsIgnoreCase("websocket");
  }

  /** The certificates from the TLS handshake, the client's own first. */
  public List<X509Certificate> certificates() {
    if (request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
            instanceof EndPoint.SslSessionData session
        && session.peerCertificates() != null) {
      return List.of(session.peerCertificates());
    }
    return List.of();
  }

  /** The whole body, which must not be longer than the limit. */
  byte[] body() {
    if (!header(HttpHeader.CONTENT_ENCODING).isEmpty()) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST,
          "a body with Content-Encoding \"%s\" is not taken; send it as it is"
              .formatted(header(HttpHeader.CONTENT_ENCODING)));
    }
    try {
      // Not closed: that would reset the stream before the response to an oversized body is sent.
      long announced = request.getLength(); // negative if unknown
      int limit = announced < 0 || announced > bodyLimit ? bodyLimit + 1 : (int) announced;
      byte[] body = Content.Source.asInputStream(request).readNBytes(limit);
      if (body.length > bodyLimit) {
        throw ApiFailure.because(
            Reason.REQUEST_ENTITY_TOO_LARGE, "Request entity too large: limit is " + bodyLimit);
      }
      return body;
    } catch (IOException broken) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST, "the body ended before its time: " + broken.getMessage());
    }
  }

  /**
   * Reads the rest of the body. A client that gets a response while it still sends may see its
   * connection reset instead of the response; a client that sends far too much has to accept that.
   */
  public void drain() {
    var rest = Content.Source.asInputStream(request);
    try {
      if (rest.read() < 0) {
        return; // nearly always
      }
      byte[] unwanted = new byte[8 * 1024];
      int read = rest.read(unwanted);
      for (long total = 0; read >= 0 && total < bodyLimit; total += read) {
        read = rest.read(unwanted);
      }
    } catch (IOException gone) {
      LOG.debug("a client closed the connection while it sent a request", gone);
    }
  }

  /** The address under which the client reached the server. */
  public String serverAddress() {
    return Request.getServerName(request) + ":" + Request.getServerPort(request);
  }

  public void warn(String warning) {
    warnings.add(warning);
  }

  /** The warnings as headers, each once. */
  public List<ApiResponse.Header> warnings() {
    var headers = new ArrayList<ApiResponse.Header>();
    int left = WARNED;
    for (String warning : warnings) {
      left -= warning.length();
      if (left < 0) {
        break;
      }
      String quoted = warning.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\R", " ");
      headers.add(new ApiResponse.Header("Warning", "299 - \"" + quoted + "\""));
    }
    return headers;
  }

  /** Whether the client shows responses to people, so that they are indented. */
  boolean wantsPretty() {
    String agent = header(HttpHeader.USER_AGENT);
    return query.has("pretty")
        ? query.flag("pretty")
        : agent.startsWith("curl") || agent.startsWith("Wget") || agent.startsWith("Mozilla/5.0");
  }
}
