package dev.sluice.benchmarks.world;

import dev.sluice.benchmarks.FailedBenchmark;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * Plain requests to an API server, as cheap as they can be: the client shares the machine with the
 * server that is measured.
 *
 * <p>Threads: safe; callers wait for the answer.
 */
public final class ApiClient implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String server;
  private final Optional<String> token;
  private final HttpClient http;
  private final AtomicLong calls = new AtomicLong();

  /** What the server said. */
  public record Answer(int code, String body) {
    public boolean ok() {
      return code / 100 == 2;
    }

    public Tree tree() {
      return Json.parse(body).asTree();
    }

    /** For a message: the code and what the server says about it. */
    @Override
    public String toString() {
      return code + " " + body.strip();
    }
  }

  public ApiClient(Path kubeconfig) {
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    this.server = config.getMasterUrl().replaceAll("/$", "");
    this.token = Optional.ofNullable(config.getAutoOAuthToken());
    this.http = HttpClient.newBuilder().sslContext(tls(config)).build();
  }

  private static SSLContext tls(Config config) {
    try {
      KeyManager[] keys = SSLUtils.keyManagers(config);
      TrustManager[] trusted = SSLUtils.trustManagers(config);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trusted, null);
      return context;
    } catch (NoSuchAlgorithmException | KeyManagementException impossible) {
      throw new IllegalStateException("every JDK has TLS", impossible);
    } catch (IOException | GeneralSecurityException unusable) {
      throw new FailedBenchmark("the server's kubeconfig cannot be used: " + unusable);
    }
  }

  /** How many requests were sent so far. */
  public long calls() {
    return calls.get();
  }

  public Answer get(String path) throws InterruptedException {
    return send(request(path).GET());
  }

  public Answer create(String collection, Tree object) throws InterruptedException {
    return send(
        request(collection)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(Json.bytes(object))));
  }

  public Answer patch(String path, Tree patch) throws InterruptedException {
    return send(
        request(path)
            .header("Content-Type", "application/merge-patch+json")
            .method("PATCH", BodyPublishers.ofByteArray(Json.bytes(patch))));
  }

  private HttpRequest.Builder request(String path) {
    var request = HttpRequest.newBuilder(URI.create(server + path)).timeout(PATIENCE);
    token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
    return request;
  }

  private Answer send(HttpRequest.Builder request) throws InterruptedException {
    calls.incrementAndGet();
    try {
      HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer.body());
    } catch (IOException broken) {
      throw new FailedBenchmark("the API server at %s went away: %s".formatted(server, broken));
    }
  }

  /** Opens a watch; the stream has one event a line. */
  public InputStream watch(String path) throws InterruptedException {
    calls.incrementAndGet();
    var request = HttpRequest.newBuilder(URI.create(server + path));
    token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
    try {
      var answer = http.send(request.build(), BodyHandlers.ofInputStream());
      if (answer.statusCode() != 200) {
        throw new FailedBenchmark("the server refused a watch with " + answer.statusCode());
      }
      return answer.body();
    } catch (IOException broken) {
      throw new FailedBenchmark("the API server at %s went away: %s".formatted(server, broken));
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
