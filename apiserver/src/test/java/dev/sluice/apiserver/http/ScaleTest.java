package dev.sluice.apiserver.http;

import static dev.sluice.apiserver.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The subresource scale of a custom kind. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScaleTest {
  private static final String GROUPS = "/apis/scaled.example.com/v1/namespaces/default/groups";
  private static final String GROUP = GROUPS + "/g";
  private static final String SCALE = GROUP + "/scale";
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: groups.scaled.example.com}
      spec:
        group: scaled.example.com
        scope: Namespaced
        names: {plural: groups, kind: Group}
        versions:
        - name: v1
          served: true
          storage: true
          subresources:
            status: {}
            scale:
              specReplicasPath: .spec.workers.count
              statusReplicasPath: .status.ready
              labelSelectorPath: .status.selector
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  properties:
                    workers: {type: object, properties: {count: {type: integer, maximum: 9}}}
                status:
                  type: object
                  properties: {ready: {type: integer}, selector: {type: string}}
      """;

  private final TestServer server = TestServer.start();

  private static Tree yaml(String text) {
    return Yaml.parseAll(text).getFirst().asTree();
  }

  @BeforeAll
  void define() {
    server.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", yaml(DEFINITION));
  }

  @BeforeEach
  void createGroup() {
    server.delete(GROUP);
    server.post(
        GROUPS + "?fieldManager=c",
        yaml(
            "{apiVersion: scaled.example.com/v1, kind: Group, metadata: {name: g}, spec: {workers:"
                + " {count: 2}}}"));
    server.patch(
        GROUP + "/status",
        "application/merge-patch+json",
        "{\"status\":{\"ready\":1,\"selector\":\"group=g\"}}");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void scaleShowsTheNumbersAndTheSelectorOfTheObject() {
    Tree object = tree(server.get(GROUP));
    Tree scale = tree(server.get(SCALE));

    assertThat(scale.text("apiVersion") + " " + scale.text("kind"))
        .isEqualTo("autoscaling/v1 Scale");
    assertThat(scale.tree("spec")).isEqualTo(Tree.of("replicas", 2));
    assertThat(scale.tree("status")).isEqualTo(Tree.of("replicas", 1, "selector", "group=g"));
    assertThat(scale.tree("metadata").names())
        .containsExactly("creationTimestamp", "name", "namespace", "resourceVersion", "uid");
    assertThat(scale.text("metadata", "resourceVersion"))
        .isEqualTo(object.text("metadata", "resourceVersion"));
  }

  @Test
  void patchOfTheScaleChangesTheNumberOfTheObject() {
    HttpResponse<String> patched =
        server.patch(
            SCALE + "?fieldManager=m",
            "application/merge-patch+json",
            "{\"spec\":{\"replicas\":5}}");
    Tree object = tree(server.get(GROUP));

    assertThat(patched.statusCode()).isEqualTo(200);
    assertThat(tree(patched).tree("spec")).isEqualTo(Tree.of("replicas", 5));
    assertThat(object.tree("spec", "workers")).isEqualTo(Tree.of("count", 5));
    assertThat(object.tree("metadata").whole("generation")).hasValue(2);
    assertThat(object.trees("metadata", "managedFields"))
        .anyMatch(entry -> entry.text("subresource").equals("scale"));
  }

  private HttpResponse<String> put(Tree scale) {
    return server.send(server.request(SCALE).PUT(BodyPublishers.ofString(scale.toString())));
  }

  @Test
  void replacementIsTiedToTheRevisionThatTheScaleNames() {
    Tree seen = tree(server.get(SCALE));

    assertThat(put(seen.with(List.of("spec", "replicas"), 3)).statusCode()).isEqualTo(200);
    assertThat(put(seen.with(List.of("spec", "replicas"), 4)).statusCode()).isEqualTo(409);
    assertThat(tree(server.get(SCALE)).tree("spec")).isEqualTo(Tree.of("replicas", 3));
  }

  @Test
  void badScalesAreRefused() {
    Tree seen = tree(server.get(SCALE));

    assertThat(put(seen.with(List.of("spec", "replicas"), -1)).statusCode()).isEqualTo(422);
    assertThat(put(seen.with(List.of("spec", "replicas"), "many")).statusCode()).isEqualTo(422);
    assertThat(put(seen.with(List.of("spec", "replicas"), 10)).statusCode()).isEqualTo(422);
    assertThat(put(seen.with("kind", "Group")).statusCode()).isEqualTo(400);
    assertThat(put(seen.with(List.of("metadata", "name"), "h")).statusCode()).isEqualTo(400);
    assertThat(
            server
                .patch(SCALE + "?fieldManager=m", "application/apply-patch+yaml", seen.toString())
                .statusCode())
        .isEqualTo(400);
    assertThat(server.get(GROUPS + "/missing/scale").statusCode()).isEqualTo(404);
  }
}
