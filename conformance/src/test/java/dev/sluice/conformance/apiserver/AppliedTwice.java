package dev.sluice.conformance.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.ApiClient.Response;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.TwoServers;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/**
 * The same requests by the same managers to our API server and to the real one: each must be
 * answered alike, down to who owns which field.
 */
public abstract class AppliedTwice {
  public static final String APPLY = "application/apply-patch+yaml";

  final TwoServers servers;

  AppliedTwice(RealKubernetes kubernetes, Path folder) throws IOException {
    this.servers = new TwoServers(kubernetes, folder);
  }

  @AfterEach
  void close() {
    servers.close();
  }

  final void apply(String path, String manager, String configuration) {
    send("PATCH", path + "?fieldManager=" + manager, APPLY, configuration);
  }

  final void merge(String path, String manager, String changes) {
    send("PATCH", path + "?fieldManager=" + manager, TwoServers.MERGE, json(changes));
  }

  final void patch(String path, String operations) {
    send("PATCH", path, "application/json-patch+json", json(operations));
  }

  final void write(String method, String path, String object) {
    send(method, path, TwoServers.JSON, json(object));
  }

  final void send(String method, String path, String type, String body) {
    Response answered = servers.ours.send(method, path, type, body);
    Response expected = servers.real.send(method, path, type, body);

    String what = "%s %s %s: %s".formatted(method, path, body, expected.body());
    assertThat(answered.code()).as(what).isEqualTo(code(type, expected));
    assertThat(comparable(answered)).as(what).isEqualTo(comparable(expected));
  }

  /** A configuration that cannot be typed is an internal error of the real server, not of ours. */
  private static int code(String type, Response expected) {
    boolean untyped = expected.body().text("message").startsWith("failed to create typed patch");
    return type.equals(APPLY) && untyped ? 400 : expected.code();
  }

  /** An answer without what differs from server to server. */
  public static Tree comparable(Response answer) {
    Tree body = answer.body();
    if (answer.code() >= 300) {
      return refusal(body, answer.code() == 409);
    }
    String uid = body.text("metadata", "uid");
    Tree same = Json.parse(Json.write(body).replace(uid, "the-uid")).asTree();
    same = same.without(List.of("metadata", "resourceVersion"));
    same = same.without(List.of("metadata", "creationTimestamp"));
    same = same.tree("status").isEmpty() ? same.without("status") : same;
    List<Tree> owners =
        same.trees("metadata", "managedFields").stream()
            .map(entry -> entry.without("time"))
            .sorted(Comparator.comparing(Tree::toString))
            .toList();
    return same.with(List.of("metadata", "managedFields"), Items.of(owners));
  }

  /** The real server names causes in any order, and some of them twice. */
  private static Tree refusal(Tree status, boolean worded) {
    List<Tree> causes =
        status.trees("details", "causes").stream()
            .distinct()
            .sorted(Comparator.comparing(Tree::toString))
            .toList();
    List<String> lines = status.text("message").lines().sorted().toList();
    return Tree.of("causes", Items.of(causes), "message", worded ? lines : List.of());
  }

  private static String json(String yaml) {
    return Json.write(Yaml.parseAll(yaml).getFirst());
  }
}
