package dev.sluice.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A custom kind in two versions that differ, read and selected in both. */
class VersionsTest {
  private static final String OLD = "/apis/converted.example.com/v1beta1/namespaces/default/flags";
  private static final String NEW = "/apis/converted.example.com/v1beta2/namespaces/default/flags";
  private static final String VERSION =
      """
        - name: %s
          served: true
          storage: %s
          deprecated: %s
          selectableFields: [{jsonPath: .spec.%4$s}]
          additionalPrinterColumns: [{name: Paint, type: string, jsonPath: .spec.%4$s}]
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec: {type: object, properties: {%4$s: {type: string}}}
      """;
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: flags.converted.example.com}
      spec:
        group: converted.example.com
        scope: Namespaced
        names: {plural: flags, kind: Flag}
        versions:
      """
          + VERSION.formatted("v1beta1", false, true, "color")
          + VERSION.formatted("v1beta2", true, false, "colour");

  private final TestServer server = TestServer.start();

  @BeforeEach
  void define() {
    Tree definition = Yaml.parseAll(DEFINITION).getFirst().asTree();
    server.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    for (String color : List.of("red", "blue")) {
      Tree flag =
          Tree.of(
              "apiVersion",
              "converted.example.com/v1beta1",
              "kind",
              "Flag",
              "metadata",
              Tree.of("name", "f-" + color),
              "spec",
              Tree.of("color", color));
      assertThat(server.post(OLD, flag).statusCode()).isEqualTo(201);
    }
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void eachVersionShowsItsOwnFieldsAndTheOldOneWarns() {
    HttpResponse<String> old = server.get(OLD + "/f-red");
    HttpResponse<String> current = server.get(NEW + "/f-red");

    assertThat(TestServer.tree(old).tree("spec")).isEqualTo(Tree.of("color", "red"));
    assertThat(TestServer.tree(current).tree("spec")).isEqualTo(Tree.of("colour", "red"));
    assertThat(old.headers().firstValue("Warning"))
        .hasValue("299 - \"converted.example.com/v1beta1 Flag is deprecated\"");
    assertThat(current.headers().firstValue("Warning")).isEmpty();
  }

  @Test
  void listsAndWatchesAreSelectedByTheFieldsOfTheirVersion() {
    assertThat(names(server.getTree(OLD + "?fieldSelector=spec.color%3Dred")))
        .containsExactly("f-red");
    assertThat(names(server.getTree(NEW + "?fieldSelector=spec.colour!%3Dred")))
        .containsExactly("f-blue");
    assertThat(server.get(NEW + "?fieldSelector=spec.color%3Dred").statusCode()).isEqualTo(400);

    try (var watch = WatchReader.of(server, OLD + "?watch=true&fieldSelector=spec.color%3Dred")) {
      Tree first = watch.next();
      server.patch(
          NEW + "/f-red", "application/merge-patch+json", "{\"spec\": {\"colour\": \"blue\"}}");
      server.patch(
          OLD + "/f-blue", "application/merge-patch+json", "{\"spec\": {\"color\": \"red\"}}");

      assertThat(first.tree("object", "spec")).isEqualTo(Tree.of("color", "red"));
      assertThat(watch.told(2)).containsExactly("DELETED f-red", "ADDED f-blue");
    }
  }

  private static List<String> names(Tree list) {
    return list.trees("items").stream().map(item -> item.text("metadata", "name")).toList();
  }
}
