package dev.sluice.apiserver.http;

import dev.sluice.apiserver.http.request.ApiResponse;
import java.time.Duration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.Configuration;
import org.eclipse.jetty.websocket.core.exception.WebSocketException;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketServerComponents;

/** Upgrades of requests to WebSockets. */
final class WebSockets {
  /** The idle timeout of a kubelet's streaming connections. */
  private static final Duration MAX_QUIET = Duration.ofHours(4);

  private static final int BAD_REQUEST = 400;
  private static final int MAX_FRAME = 4 << 20;

  private final WebSocketMappings mappings;

  WebSockets(Server server) {
    this.mappings =
        new WebSocketMappings(WebSocketServerComponents.ensureWebSocketComponents(server));
  }

  /** Upgrades the connection, or fails if the request offers no protocol that is supported. */
  void open(ApiResponse.Upgrade answer, Request request, Response response, Callback callback) {
    try {
      if (!upgrade(answer, request, response, callback)) {
        answer.socket().abandon();
        Response.writeError(
            request, response, callback, BAD_REQUEST, "this asks for no WebSocket of version 13");
      }
    } catch (WebSocketException refused) {
      answer.socket().abandon();
      Response.writeError(request, response, callback, refused);
    }
  }

  private boolean upgrade(
      ApiResponse.Upgrade answer, Request request, Response response, Callback callback) {
    var configuration = new Configuration.ConfigurationCustomizer();
    configuration.setIdleTimeout(MAX_QUIET);
    configuration.setMaxFrameSize(MAX_FRAME);
    configuration.setMaxBinaryMessageSize(MAX_FRAME);
    return mappings.upgrade(
        (_, negotiated, _) -> {
          negotiated.setAcceptedSubProtocol(answer.protocol());
          return answer.socket();
        },
        request,
        response,
        callback,
        configuration);
  }
}
