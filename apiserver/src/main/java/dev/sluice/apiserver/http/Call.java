package dev.sluice.apiserver.http;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import java.io.IOException;
import java.io.InputStream;
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

/** One HTTP request, and the warnings that its answer will carry. Threads: one. */
final class Call {
  private final Request request;
  private final int bodyLimit;
  private final Query query;
  private final Set<String> warnings = new LinkedHashSet<>();

  Call(Request request, int bodyLimit) {
    this.request = request;
    this.bodyLimit = bodyLimit;
    this.query =
        Optional.ofNullable(request.getHttpURI().getQuery()).map(Query::parse).orElse(Query.NONE);
  }

  String method() {
    return request.getMethod();
  }

  String path() {
    return request.getHttpURI().getPath();
  }

  Query query() {
    return query;
  }

  /** All headers of a name as one list, empty if there is none. */
  String header(HttpHeader name) {
    return String.join(",", request.getHeaders().getValuesList(name));
  }

  /** What the client showed in the handshake, its own certificate first. */
  List<X509Certificate> certificates() {
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
    try (InputStream in = Content.Source.asInputStream(request)) {
      byte[] body = in.readNBytes(bodyLimit + 1);
      if (body.length > bodyLimit) {
        throw ApiFailure.because(
            Reason.REQUEST_ENTITY_TOO_LARGE,
            "Request entity too large: limit is " + bodyLimit);
      }
      return body;
    } catch (IOException broken) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST, "the body ended before its time: " + broken.getMessage());
    }
  }

  /** The address under which the client reached us. */
  String serverAddress() {
    return Request.getServerName(request) + ":" + Request.getServerPort(request);
  }

  void warn(String warning) {
    warnings.add(warning);
  }

  /** The warnings as headers, each told once. */
  List<Answer.Header> warnings() {
    var headers = new ArrayList<Answer.Header>();
    for (String warning : warnings) {
      String quoted = warning.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\R", " ");
      headers.add(new Answer.Header("Warning", "299 - \"" + quoted + "\""));
    }
    return headers;
  }

  /** People read what these ask for, so it is indented. */
  boolean wantsPretty() {
    String agent = header(HttpHeader.USER_AGENT);
    return query.has("pretty")
        ? query.flag("pretty")
        : agent.startsWith("curl") || agent.startsWith("Wget") || agent.startsWith("Mozilla/5.0");
  }
}
