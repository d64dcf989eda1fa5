package dev.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.ApiClient.Response;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** Our API server and the real one, which are asked the same and must answer alike. */
public final class TwoServers implements AutoCloseable {
  public static final String JSON = "application/json";
  public static final String MERGE = "application/merge-patch+json";

  public final ApiClient ours;
  public final ApiClient real;
  private final EmbeddedServer embedded;

  public TwoServers(RealKubernetes kubernetes, Path folder) throws IOException {
    this.embedded = new EmbeddedServer(folder);
    this.ours = new ApiClient(embedded.kubeconfig());
    this.real = new ApiClient(kubernetes.kubeconfig());
  }

  /** What is behind ours, as controllers see it. */
  public Cluster cluster() {
    return embedded.cluster();
  }

  public static Tree yaml(String text) {
    return Yaml.parseAll(text).getFirst().asTree();
  }

  /** Creates something in both, where it must be good. */
  public void post(String path, String body) {
    for (ApiClient one : List.of(ours, real)) {
      Response answer = one.send("POST", path, JSON, Json.write(yaml(body)));
      assertThat(answer.code()).as(answer.body().toString()).isEqualTo(201);
    }
  }

  /**
   * Asks both. They must answer with the same code and warnings; refuse for the same fields in the
   * same way, or in the same words where no field is to blame; and of objects show the same.
   *
   * @param shown what of an object must be the same
   */
  public void ask(
      String method, String path, String type, Tree body, Function<Tree, List<String>> shown) {
    String text = body.isEmpty() ? "" : Json.write(body);
    Response answered = ours.send(method, path, type, text);
    Response expected = real.send(method, path, type, text);

    String what =
        "%s %s%nwas answered %s%nnot %s".formatted(path, body, answered.body(), expected.body());
    assertThat(answered.code()).as(what).isEqualTo(expected.code());
    assertThat(answered.warnings()).as(what).isEqualTo(expected.warnings());
    boolean refused = expected.code() >= 300;
    assertThat(refused ? refusal(answered) : shown.apply(answered.body()))
        .as(what)
        .isEqualTo(refused ? refusal(expected) : shown.apply(expected.body()));
  }

  private static List<String> refusal(Response answer) {
    Tree body = answer.body();
    return answer.code() == 403
        ? List.of(body.text("message"))
        : body.trees("details", "causes").stream()
            .map(cause -> cause.text("reason") + " " + cause.text("field"))
            .distinct()
            .sorted()
            .toList();
  }

  /** What was asked for, without what differs from server to server. */
  public static String spec(Tree object) {
    // The real server shows an empty list of rules as null, and empty metadata of templates. It
    // runs without service accounts, since there is no controller manager to create them.
    return Json.write(object.tree("spec"))
        .replace("\"serviceAccount\":\"default\",\"serviceAccountName\":\"default\",", "")
        .replace(object.text("metadata", "uid"), "the-uid")
        .replace("\"rules\":null", "\"rules\":[]")
        .replace("\"metadata\":{},", "");
  }

  @Override
  public void close() {
    ours.close();
    real.close();
    embedded.close();
  }
}
