package dev.sluice.benchmarks.world;

import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.impl.bootstrap.HttpRequester;
import org.apache.hc.core5.http.impl.bootstrap.RequesterBootstrap;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.apache.hc.core5.http.protocol.DefaultHttpProcessor;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.http.protocol.HttpProcessor;
import org.apache.hc.core5.http.protocol.RequestConnControl;
import org.apache.hc.core5.http.protocol.RequestContent;
import org.apache.hc.core5.http.protocol.RequestTargetHost;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

/**
 * Plain requests to an API server, as cheap as they can be: the client shares the machine with the
 * server that is measured.
 *
 * <p>Threads: safe; callers wait for the answer.
 */
public final class ApiClient implements AutoCloseable {
  private static final Timeout PATIENCE = Timeout.ofSeconds(60);
  private static final ContentType MERGE_PATCH = ContentType.create("application/merge-patch+json");

  /** Shorter than kube-apiserver keeps an idle connection. */
  private static final Timeout MAX_CONNECTION = Timeout.ofSeconds(60);

  /** More than callers ever send at once; each has a connection of its own. */
  private static final int MAX_CONNECTIONS = 256;

  /** Not the library's defaults: those send "Expect: 100-continue" before a body. */
  private static final HttpProcessor HEADERS =
      new DefaultHttpProcessor(
          new RequestTargetHost(), new RequestContent(), new RequestConnControl());

  private final HttpHost server;
  private final Optional<String> token;
  private final HttpRequester requests;
  private final HttpRequester watches;
  private final AtomicLong calls = new AtomicLong();

  /** The response of the server. */
  public record Response(int code, String body) {
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
    this.server = HttpHost.create(URI.create(config.getMasterUrl()));
    this.token = Optional.ofNullable(config.getAutoOAuthToken());
    SSLContext tls = tls(config);
    this.requests = requester(tls, PATIENCE);
    this.watches = requester(tls, Timeout.DISABLED); // nothing may happen for long
  }

  private static HttpRequester requester(SSLContext tls, Timeout silence) {
    return RequesterBootstrap.bootstrap()
        .setHttpProcessor(HEADERS)
        .setSslContext(tls)
        .setSocketConfig(SocketConfig.custom().setSoTimeout(silence).setTcpNoDelay(true).build())
        .setTimeToLive(MAX_CONNECTION)
        .setMaxTotal(MAX_CONNECTIONS)
        .setDefaultMaxPerRoute(MAX_CONNECTIONS)
        .create();
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

  public Response get(String path) {
    return send(ClassicRequestBuilder.get(path));
  }

  public Response create(String collection, Tree object) {
    return send(
        ClassicRequestBuilder.post(collection)
            .setEntity(Json.bytes(object), ContentType.APPLICATION_JSON));
  }

  public Response patch(String path, Tree patch) {
    return send(ClassicRequestBuilder.patch(path).setEntity(Json.bytes(patch), MERGE_PATCH));
  }

  private Response send(ClassicRequestBuilder request) {
    try (ClassicHttpResponse answer = send(requests, request)) {
      byte[] body = EntityUtils.toByteArray(answer.getEntity());
      return new Response(answer.getCode(), new String(body, StandardCharsets.UTF_8));
    } catch (IOException broken) {
      throw gone(broken);
    }
  }

  /** Opens a watch; the stream has one event a line. */
  public InputStream watch(String path) {
    try {
      ClassicHttpResponse answer = send(watches, ClassicRequestBuilder.get(path));
      if (answer.getCode() != 200) {
        throw new FailedBenchmark("the server refused a watch with " + answer.getCode());
      }
      return answer.getEntity().getContent();
    } catch (IOException broken) {
      throw gone(broken);
    }
  }

  private ClassicHttpResponse send(HttpRequester through, ClassicRequestBuilder request)
      throws IOException {
    calls.incrementAndGet();
    token.ifPresent(secret -> request.setHeader("Authorization", "Bearer " + secret));
    ClassicHttpRequest built = request.setHttpHost(server).build();
    try {
      return through.execute(server, built, PATIENCE, HttpCoreContext.create());
    } catch (HttpException broken) {
      throw new IOException(broken);
    }
  }

  private FailedBenchmark gone(IOException why) {
    return new FailedBenchmark("the API server at %s went away: %s".formatted(server, why));
  }

  @Override
  public void close() {
    watches.close(CloseMode.IMMEDIATE);
    requests.close(CloseMode.IMMEDIATE);
  }
}
