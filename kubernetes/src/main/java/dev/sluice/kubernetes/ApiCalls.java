package dev.sluice.kubernetes;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.GoDuration;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Single requests to the API server, with the client's authentication, retries and TLS. Bodies are
 * our trees on both sides. Whatever goes wrong is an {@link ApiException}.
 *
 * <p>Threads: safe; callers wait for the answer.
 */
final class ApiCalls {
  static final String JSON = "application/json";
  static final String MERGE_PATCH = "application/merge-patch+json";
  static final String APPLY_PATCH = "application/apply-patch+yaml";

  /** Above what one request and its retries may take; reached only if the client is stuck. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final KubernetesClient client;
  private final String server;
  private final long timeoutMillis;
  private final Turn turn;

  /** In whose name requests are sent; empty for our own. */
  private final String user;

  /** Waits until a request may be sent. */
  interface Turn {
    Turn AT_ONCE = () -> {};

    void await() throws InterruptedException;
  }

  ApiCalls(KubernetesClient client, Turn turn) {
    this(client, turn, "");
  }

  private ApiCalls(KubernetesClient client, Turn turn, String user) {
    this.client = client;
    this.turn = turn;
    this.user = user;
    String address = client.getConfiguration().getMasterUrl();
    this.server = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
    this.timeoutMillis = client.getConfiguration().getRequestTimeout();
  }

  /** The same requests in the name of another user. */
  ApiCalls as(String another) {
    return new ApiCalls(client, turn, another);
  }

  /** The server's address, without a slash at its end. */
  String server() {
    return server;
  }

  /**
   * The path of a collection: all objects of the key's kind in the key's namespace, or in all
   * namespaces if it names none.
   */
  static String collection(ObjectKey key) {
    var kind = key.kind();
    String root = kind.group().isEmpty() ? "/api/" : "/apis/" + kind.group() + "/";
    boolean inOne = kind.namespaced() && !key.namespace().isEmpty();
    String namespace = inOne ? "/namespaces/" + encoded(key.namespace()) : "";
    return root + kind.version() + namespace + "/" + kind.plural();
  }

  static String object(ObjectKey key) {
    return collection(key) + "/" + encoded(key.name());
  }

  static String subresource(ObjectKey key, String name) {
    return object(key) + "/" + encoded(name);
  }

  static String encoded(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }

  Tree get(String path) {
    return send("GET", path, request -> {});
  }

  /** What the server serves under a name, if anything. */
  Optional<ResourceKind> kind(String apiVersion, String kind) {
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "" : apiVersion.substring(0, slash);
    String version = apiVersion.substring(slash + 1);
    String path = group.isEmpty() ? "/api/" : "/apis/" + encoded(group) + "/";
    try {
      return get(path + encoded(version)).trees("resources").stream()
          .filter(found -> found.text("kind").equals(kind) && !found.text("name").contains("/"))
          .map(found ->
              new ResourceKind(group, version, kind, found.text("name"), found.flag("namespaced")))
          .findFirst();
    } catch (ApiException refused) {
      if (refused.is(ApiFailure.Reason.NOT_FOUND)) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  /** Sends a body and returns what the server answers. */
  Tree send(String method, String path, String contentType, Tree body) {
    return send(method, path, request -> request.method(method, contentType, Json.write(body)));
  }

  private interface Body {
    void into(HttpRequest.Builder request);
  }

  private Tree send(String method, String path, Body body) {
    try {
      turn.await();
      var http = client.getHttpClient();
      var request =
          http.newHttpRequestBuilder()
              .uri(server + path)
              .header("Accept", JSON)
              .timeout(timeoutMillis, TimeUnit.MILLISECONDS);
      if (!user.isEmpty()) {
        request.header("Impersonate-User", user);
      }
      body.into(request);
      return await(http.sendAsync(request.build(), byte[].class));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw unavailable(method + " " + path + " was interrupted");
    } catch (ExecutionException failed) {
      throw failure(failed);
    } catch (TimeoutException late) {
      throw ApiFailure.because(
          ApiFailure.Reason.TIMEOUT,
          "the API server at %s did not answer %s %s within %s"
              .formatted(server, method, path, GoDuration.format(PATIENCE)));
    } catch (MalformedText foreign) {
      throw unavailable(
          "what answers there speaks no JSON, so it is no API server: " + foreign.getMessage());
    } catch (IllegalStateException closed) {
      throw unavailable(String.valueOf(closed.getMessage()));
    }
  }

  /**
   * A caller that stops waiting also stops the request and its retries: a late write would
   * surprise.
   */
  private static Tree await(CompletableFuture<HttpResponse<byte[]>> answer)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return read(answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    } finally {
      answer.cancel(true);
    }
  }

  private static Tree read(HttpResponse<byte[]> answer) {
    byte[] body = answer.body() == null ? new byte[0] : answer.body();
    if (answer.isSuccessful()) {
      return Json.parseTree(body);
    }
    throw ApiFailure.of(status(answer.code(), body)).exception();
  }

  /** The Status in the body; proxies and unknown paths answer with plain text instead. */
  private static Tree status(int code, byte[] body) {
    try {
      Tree status = Json.parseTree(body);
      if (status.text("kind").equals("Status")) {
        return status;
      }
    } catch (MalformedText plain) {
      // reported below as what it is
    }
    String text = new String(body, StandardCharsets.UTF_8).strip();
    return Tree.of("code", code, "message", "the server answered " + code + ": " + text);
  }

  /** What a failure of the client means to the caller. */
  ApiException failure(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof KubernetesClientException answered && answered.getCode() > 0) {
      String status = client.getKubernetesSerialization().asJson(answered.getStatus());
      return ApiFailure.of(status(answered.getCode(), status.getBytes(StandardCharsets.UTF_8)))
          .exception();
    }
    return unavailable(why(cause));
  }

  /** Java's own client leaves these two without a word. */
  private static String why(Throwable failure) {
    if (!(failure instanceof ConnectException)) {
      return failure.toString();
    }
    boolean unresolved =
        Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
            .anyMatch(UnresolvedAddressException.class::isInstance);
    return unresolved ? "no host of that name is known" : "nothing listens there";
  }

  private ApiException unavailable(String why) {
    return ApiFailure.because(
        ApiFailure.Reason.SERVICE_UNAVAILABLE,
        "cannot reach the API server at " + server + ": " + why);
  }
}
