package dev.sluice.conformance;

import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.nio.file.Path;
import java.util.List;

/** Sends requests as they are, to any API server that a kubeconfig leads to. */
public final class ApiClient implements AutoCloseable {
  private final KubernetesClient client;

  public ApiClient(Path kubeconfig) {
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    config.setRequestRetryBackoffLimit(0);
    this.client =
        new KubernetesClientBuilder()
            .withConfig(config)
            .withHttpClientFactory(new JdkHttpClientFactory())
            .build();
  }

  /**
   * What the server answered.
   *
   * @param warnings what it said beside that, sorted
   */
  public record Response(int code, Tree body, List<String> warnings) {}

  /** Sends a request; the path starts at the root of the server, and an empty body is none. */
  public Response send(String method, String path, String contentType, String body) {
    var request =
        client
            .getHttpClient()
            .newHttpRequestBuilder()
            .uri(client.getMasterUrl().toString().replaceFirst("/$", "") + path)
            .setHeader("User-Agent", "differential-test/1.0");
    if (method.equals("GET") || method.equals("DELETE")) {
      request.method(method, null, null);
    } else {
      request.method(method, contentType, body);
    }
    HttpResponse<String> response =
        client.getHttpClient().sendAsync(request.build(), String.class).join();
    // A path that leads nowhere is answered in plain text.
    boolean json = response.body().startsWith("{");
    Tree tree = json ? Json.parse(response.body()).asTree() : Tree.EMPTY;
    return new Response(
        response.code(), tree, response.headers("Warning").stream().sorted().toList());
  }

  /** Reads what a path leads to as a table, which is what kubectl prints. */
  public Tree table(String path) {
    var request =
        client
            .getHttpClient()
            .newHttpRequestBuilder()
            .uri(client.getMasterUrl().toString().replaceFirst("/$", "") + path)
            .setHeader("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
    HttpResponse<String> response =
        client.getHttpClient().sendAsync(request.build(), String.class).join();
    return Json.parse(response.body()).asTree();
  }

  @Override
  public void close() {
    client.close();
  }
}
