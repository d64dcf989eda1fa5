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
class ServedVersionsTest {
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
                spec: {type: object, properties: {%4$s: {type: string}, size: {type: string}%5$s}}
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
          + VERSION.formatted("v1beta1", false, true, "color", "")
          + VERSION.formatted("v1beta2", true, false, "colour", ", shape: {type: string}");

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

  private HttpResponse<String> apply(String path, String manager, String spec) {
    String version = path.equals(OLD) ? "v1beta1" : "v1beta2";
    String flag =
        "{apiVersion: converted.example.com/%s, kind: Flag, metadata: {name: f}, spec: {%s}}"
            .formatted(version, spec);
    return server.patch(path + "/f?fieldManager=" + manager, "application/apply-patch+yaml", flag);
  }

  private Tree spec() {
    return server.getTree(NEW + "/f").tree("spec");
  }

  /** Each owner with its version and its fields. */
  private List<String> owners() {
    return server.getTree(NEW + "/f").trees("metadata", "managedFields").stream()
        .map(entry ->
            "%s %s %s"
                .formatted(
                    entry.text("manager"),
                    entry.text("apiVersion").replaceAll(".*/", ""),
                    entry.tree("fieldsV1", "f:spec").names()))
        .toList();
  }

  @Test
  void applyInAnotherVersionChangesAndDropsEarlierFields() {
    apply(OLD, "a", "color: red, size: large");

    assertThat(apply(NEW, "a", "colour: blue").statusCode()).isEqualTo(200);
    assertThat(spec()).isEqualTo(Tree.of("colour", "blue"));
    assertThat(owners()).containsExactly("a v1beta2 [f:colour]");

    assertThat(apply(OLD, "a", "size: small").statusCode()).isEqualTo(200);
    assertThat(spec()).isEqualTo(Tree.of("size", "small"));
    assertThat(owners()).containsExactly("a v1beta1 [f:size]");
  }

  @Test
  void whatTheVersionBeforeCannotTellIsNotLost() {
    apply(OLD, "a", "color: red, size: large");
    apply(NEW, "a", "colour: red, shape: square");

    assertThat(spec()).isEqualTo(Tree.of("colour", "red", "shape", "square"));
  }

  @Test
  void whatOthersOwnInAnotherVersionIsTheirs() {
    apply(OLD, "a", "color: red, size: large");

    HttpResponse<String> refused = apply(NEW, "b", "colour: blue");
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(TestServer.tree(refused).text("message"))
        .isEqualTo("Apply failed with 1 conflict: conflict with \"a\": .spec.color");

    assertThat(apply(NEW, "b", "colour: red").statusCode()).isEqualTo(200);
    assertThat(apply(OLD, "a", "size: large").statusCode()).isEqualTo(200);
    assertThat(spec()).isEqualTo(Tree.of("colour", "red", "size", "large"));
    assertThat(apply(NEW, "c&force=true", "colour: blue").statusCode()).isEqualTo(200);
    assertThat(owners()).containsExactlyInAnyOrder("a v1beta1 [f:size]", "c v1beta2 [f:colour]");
  }

  @Test
  void ordinaryWritesAreOwnedInTheirVersionAndTakeFromOthers() {
    apply(OLD, "a", "color: red, size: large");
    String merge = "application/merge-patch+json";
    server.patch(NEW + "/f?fieldManager=new", merge, "{\"spec\": {\"colour\": \"blue\"}}");
    server.patch(OLD + "/f?fieldManager=old", merge, "{\"spec\": {\"size\": \"small\"}}");

    assertThat(owners())
        .containsExactlyInAnyOrder("new v1beta2 [f:colour]", "old v1beta1 [f:size]");

    server.patch(NEW + "/f?fieldManager=new", merge, "{\"spec\": {\"size\": null}}");
    assertThat(owners()).containsExactly("new v1beta2 [f:colour]");
  }

  @Test
  void objectCreatedInAnOldVersionIsOwnedInIt() {
    Tree flag =
        Tree.of(
            "apiVersion",
            "converted.example.com/v1beta1",
            "kind",
            "Flag",
            "metadata",
            Tree.of("name", "f"),
            "spec",
            Tree.of("color", "red"));
    server.post(OLD + "?fieldManager=m", flag);

    assertThat(owners()).containsExactly("m v1beta1 [., f:color]");
  }

  @Test
  void ownersInAVersionThatIsNoLongerServedAreForgotten() {
    apply(OLD, "a", "color: red, size: large");
    server.patch(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/flags.converted.example.com",
        "application/json-patch+json",
        "[{\"op\": \"replace\", \"path\": \"/spec/versions/0/served\", \"value\": false}]");

    assertThat(apply(NEW, "b", "colour: blue").statusCode()).isEqualTo(200);
    assertThat(owners()).containsExactly("b v1beta2 [f:colour]");
  }

  private static List<String> names(Tree list) {
    return list.trees("items").stream().map(item -> item.text("metadata", "name")).toList();
  }
}
