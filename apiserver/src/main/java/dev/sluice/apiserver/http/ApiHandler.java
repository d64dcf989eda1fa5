package dev.sluice.apiserver.http;

import dev.sluice.apiserver.deadline.Deadline;
import dev.sluice.apiserver.http.endpoint.DiscoveryEndpoint;
import dev.sluice.apiserver.http.endpoint.ResourceEndpoint;
import dev.sluice.apiserver.http.limit.ActiveRequests;
import dev.sluice.apiserver.http.limit.UnsentBytes;
import dev.sluice.apiserver.http.request.ApiRequest;
import dev.sluice.apiserver.http.request.ApiResponse;
import dev.sluice.apiserver.http.request.Negotiation;
import dev.sluice.apiserver.http.request.RefusalException;
import dev.sluice.apiserver.http.request.RequestPath;
import dev.sluice.apiserver.http.request.ResponseEncoder;
import dev.sluice.apiserver.security.Authenticator;
import dev.sluice.apiserver.security.Authorizer;
import dev.sluice.apiserver.security.User;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.StoppedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handler of every request: authenticates it, finds its endpoint and sends the response. Every
 * failure on the way becomes a Status here, and only here.
 */
final class ApiHandler extends Handler.Abstract {
  private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

  /** As in Kubernetes. Watches and sessions go on after it; they begin within it. */
  private static final Duration MAX_WORK = Duration.ofMinutes(1);

  private static final long MAX_UNSENT_BYTES = 128L << 20;

  static final Duration MAX_QUIET = Duration.ofMinutes(61);

  private final Authenticator authenticator;
  private final Authorizer authorizer;
  private final ResourceEndpoint objects;
  private final DiscoveryEndpoint documents;
  private final WebSockets sockets;
  private final ActiveRequests active;
  private final int bodyLimit;
  private final TimeSource time;
  private final UnsentBytes unsent = new UnsentBytes(MAX_UNSENT_BYTES);

  ApiHandler(
      Authenticator authenticator,
      Authorizer authorizer,
      ResourceEndpoint objects,
      DiscoveryEndpoint documents,
      WebSockets sockets,
      ActiveRequests active,
      int bodyLimit,
      TimeSource time) {
    this.authenticator = authenticator;
    this.authorizer = authorizer;
    this.objects = objects;
    this.documents = documents;
    this.sockets = sockets;
    this.active = active;
    this.bodyLimit = bodyLimit;
    this.time = time;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    response.getHeaders().put("Audit-Id", UUID.randomUUID().toString());
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
    boolean entered = active.enter();
    try {
      switch (entered ? answer(request, response) : stopping()) {
        case ApiResponse.Whole whole -> send(whole, request, response);
        case ApiResponse.Streaming streaming -> stream(streaming, request, response);
        case ApiResponse.Upgrade upgrade -> {
          // The code that completes the callback also reports whether it succeeded.
          sockets.open(upgrade, request, response, callback);
          return true;
        }
      }
      callback.succeeded();
    } catch (IOException | UncheckedIOException gone) {
      LOG.debug("a client closed the connection before its response was complete", gone);
      callback.failed(gone);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      callback.failed(stopped);
    } finally {
      if (entered) {
        active.leave();
      }
    }
    return true;
  }

  private static ApiResponse stopping() {
    return plainStatus(failure(Reason.SERVICE_UNAVAILABLE, "the server is stopping"));
  }

  private ApiResponse answer(Request request, Response response) {
    try {
      var call = new ApiRequest(request, bodyLimit);
      try {
        return Deadline.within(time, MAX_WORK, () -> answer(call));
      } catch (ApiException refused) {
        return status(refused.failure().status(), call);
      } catch (RefusalException refused) {
        return status(refused.status(), call);
      } finally {
        call.drain();
        call.warnings().forEach(h -> response.getHeaders().add(h.name(), h.value()));
      }
    } catch (ApiException malformed) {
      return plainStatus(malformed.failure().status());
    } catch (StoppedException stopped) {
      return plainStatus(
          failure(Reason.SERVICE_UNAVAILABLE, "the server is stopping: " + stopped.getMessage()));
    } catch (RuntimeException broken) {
      LOG.error("{} {} failed", request.getMethod(), request.getHttpURI(), broken);
      return plainStatus(failure(Reason.INTERNAL_ERROR, "Internal error occurred: " + broken));
    }
  }

  private ApiResponse answer(ApiRequest call) {
    User user =
        authenticator.authenticate(call.certificates(), call.header(HttpHeader.AUTHORIZATION));
    if (call.impersonates()) {
      throw ApiFailure.because(
          Reason.FORBIDDEN,
          "impersonation is not supported yet: leave out --as and the Impersonate headers");
    }
    return switch (RequestPath.parse(call.path())) {
      case RequestPath.Document(String path) -> {
        authorizer.checkPath(user, call.method().toLowerCase(Locale.ROOT), path);
        yield documents.answer(call, path);
      }
      case RequestPath.Objects target -> objects.answer(call, target, user);
    };
  }

  private static Tree failure(Reason reason, String message) {
    return ApiFailure.because(reason, message).failure().status();
  }

  private static ApiResponse.Whole status(Tree status, ApiRequest call) {
    int code = (int) status.whole("code").orElse(500);
    ApiResponse.Whole answer = ResponseEncoder.plain(code, status, call);
    long retry = status.whole("details", "retryAfterSeconds").orElse(0);
    return retry > 0 ? answer.with("Retry-After", Long.toString(retry)) : answer;
  }

  /** The response where not even the request could be read. */
  private static ApiResponse.Whole plainStatus(Tree status) {
    return new ApiResponse.Whole(
        (int) status.whole("code").orElse(500),
        Negotiation.Encoding.JSON.type(),
        Json.bytes(status),
        List.of());
  }

  private static void send(ApiResponse.Whole answer, Request request, Response response)
      throws IOException {
    response.setStatus(answer.code());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
    answer.headers().forEach(header -> response.getHeaders().put(header.name(), header.value()));
    byte[] body = Compression.apply(answer.body(), request, response);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    Content.Sink.write(response, true, ByteBuffer.wrap(body));
  }

  /**
   * Lets a watch be idle for longer than other requests. With HTTP/1.1 Jetty asks before it closes
   * an idle connection; with HTTP/2 it does not.
   */
  private static void allowQuiet(Request request) {
    request.addIdleTimeoutListener(ignored -> false);
    var connection = request.getConnectionMetaData();
    if (connection.getHttpVersion() == HttpVersion.HTTP_2) {
      connection.getConnection().getEndPoint().setIdleTimeout(MAX_QUIET.toMillis());
    }
  }

  private void stream(ApiResponse.Streaming answer, Request request, Response response)
      throws IOException, InterruptedException {
    response.setStatus(200);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
    allowQuiet(request);
    request.addFailureListener(ignored -> answer.source().abandon());
    EndPoint connection = request.getConnectionMetaData().getConnection().getEndPoint();
    answer
        .source()
        .run(bytes -> {
          try (var _ = unsent.enter(bytes.length, connection::close)) {
            Content.Sink.write(response, false, ByteBuffer.wrap(bytes));
          }
        });
    Content.Sink.write(response, true, ByteBuffer.allocate(0));
  }
}
