package dev.sluice.apiserver.http;

import static dev.sluice.apiserver.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiscoveryTest {
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  static final Tree WIDGETS =
      Yaml.parseAll(
              """
              apiVersion: apiextensions.k8s.io/v1
              kind: CustomResourceDefinition
              metadata: {name: widgets.example.com}
              spec:
                group: example.com
                scope: Namespaced
                names: {plural: widgets, kind: Widget, shortNames: [wd]}
                versions:
                - name: v1
                  served: true
                  storage: true
                  subresources: {status: {}}
                  selectableFields: [{jsonPath: .spec.color}]
                  additionalPrinterColumns:
                  - {name: Size, type: integer, jsonPath: .spec.size}
                  - name: Ready
                    type: string
                    jsonPath: .status.conditions[?(@.type=="Ready")].status
                  schema: &schema
                    openAPIV3Schema:
                      type: object
                      properties:
                        spec:
                          type: object
                          description: What is wanted.
                          properties:
                            size: {type: integer, description: How large it is.}
                            color: {type: string}
                        status: {type: object, x-kubernetes-preserve-unknown-fields: true}
                - {name: v1beta1, served: true, storage: false, schema: *schema}
              """)
          .getFirst()
          .asTree();

  private final TestServer server = TestServer.start();

  @BeforeAll
  void define() {
    var created = server.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", WIDGETS);
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void aggregatedDiscoveryListsEverything() {
    var response = server.send(server.request("/apis").header("Accept", AGGREGATED));
    List<Tree> groups = tree(response).trees("items");
    List<String> names = groups.stream().map(group -> group.text("metadata", "name")).toList();
    Tree widgets = groups.get(names.indexOf("example.com")).trees("versions").getFirst();
    Tree resource = widgets.trees("resources").getFirst();

    assertThat(response.headers().firstValue("Content-Type")).hasValue(AGGREGATED);
    assertThat(names).contains("batch", "coordination.k8s.io").doesNotContain("");
    assertThat(widgets.text("version")).isEqualTo("v1");
    assertThat(resource.text("resource")).isEqualTo("widgets");
    assertThat(resource.text("scope")).isEqualTo("Namespaced");
    assertThat(resource.textItems("shortNames")).containsExactly("wd");
    assertThat(resource.trees("subresources").getFirst().text("subresource")).isEqualTo("status");
  }

  @Test
  void theCoreGroupHasItsOwn() {
    Tree core =
        tree(server.send(server.request("/api").header("Accept", AGGREGATED)))
            .trees("items")
            .getFirst();

    assertThat(core.tree("metadata").isEmpty()).isTrue();
    List<Tree> resources = core.trees("versions").getFirst().trees("resources");
    Tree pods =
        resources.stream().filter(r -> r.text("resource").equals("pods")).findFirst().orElseThrow();
    assertThat(pods.trees("subresources").stream().map(s -> s.text("subresource")))
        .contains("binding", "status");
  }

  @Test
  void documentsAreCachedByTheirHash() {
    var first = server.send(server.request("/apis").header("Accept", AGGREGATED));
    String etag = first.headers().firstValue("ETag").orElseThrow();
    var second =
        server.send(
            server.request("/apis").header("Accept", AGGREGATED).header("If-None-Match", etag));

    assertThat(second.statusCode()).isEqualTo(304);
    assertThat(second.body()).isEmpty();
  }

  @Test
  void onlyAnUnknownVersionOfDiscoveryIsNotAcceptable() {
    var response =
        server.send(server.request("/apis").header("Accept", AGGREGATED.replace("v2", "v2beta1")));

    assertThat(response.statusCode()).isEqualTo(406);
  }

  @Test
  void theOldDocumentsAreThere() {
    Tree group = server.getTree("/apis/example.com");
    List<String> resources =
        server.getTree("/apis/example.com/v1").trees("resources").stream()
            .map(resource -> resource.text("name"))
            .toList();

    assertThat(server.getTree("/api").text("kind")).isEqualTo("APIVersions");
    assertThat(server.getTree("/apis").text("kind")).isEqualTo("APIGroupList");
    assertThat(group.text("preferredVersion", "groupVersion")).isEqualTo("example.com/v1");
    assertThat(group.trees("versions")).hasSize(2);
    assertThat(resources).containsExactly("widgets", "widgets/status");
    assertThat(server.getTree("/api/v1").has("apiVersion")).isFalse();
    assertThat(server.get("/apis/no.such").statusCode()).isEqualTo(404);
    assertThat(server.get("/apis/example.com/v9").body()).isEqualTo("404 page not found\n");
  }

  @Test
  void openApiTellsHowKindsArePatched() {
    String url =
        server.getTree("/openapi/v3").tree("paths", "apis/batch/v1").text("serverRelativeURL");
    var response = server.get(url);
    Tree patch =
        tree(response).tree("paths", "/apis/batch/v1/namespaces/{namespace}/jobs/{name}", "patch");

    assertThat(response.headers().firstValue("Cache-Control")).hasValue("public, immutable");
    assertThat(patch.tree("x-kubernetes-group-version-kind"))
        .isEqualTo(Tree.of("group", "batch", "version", "v1", "kind", "Job"));
    assertThat(patch.trees("parameters").stream().map(p -> p.text("name")))
        .contains("fieldValidation");
    assertThat(patch.tree("requestBody", "content").names())
        .containsExactly(
            "application/apply-patch+yaml",
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json");
  }

  @Test
  void openApiOfCustomKindsHoldsTheirSchema() {
    Tree document = server.getTree("/openapi/v3/apis/example.com/v1");
    Tree schema = document.tree("components", "schemas", "com.example.v1.Widget");
    Tree patch =
        document.tree(
            "paths", "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}", "patch");

    assertThat(schema.text("properties", "spec", "properties", "size", "description"))
        .isEqualTo("How large it is.");
    assertThat(schema.tree("properties", "metadata", "properties").has("labels")).isTrue();
    assertThat(patch.tree("requestBody", "content").names())
        .doesNotContain("application/strategic-merge-patch+json");
  }

  @Test
  void oldClientsFindAllKindsInOneDocument() throws Exception {
    Tree document = server.getTree("/openapi/v2");

    assertThat(document.text("swagger")).isEqualTo("2.0");
    Tree definitions = document.tree("definitions");
    assertThat(definitions.names()).anyMatch(name -> name.endsWith("batch.v1.Job"));
    assertThat(document.toString()).doesNotContain("#/components");
  }

  @Test
  void aStaleHashLeadsToTheNewOne() {
    HttpResponse<String> response = server.get("/openapi/v3/api/v1?hash=OLD");

    assertThat(response.statusCode()).isEqualTo(301);
    assertThat(response.headers().firstValue("Location"))
        .hasValueSatisfying(location -> {
          assertThat(location).startsWith("/openapi/v3/api/v1?hash=");
          assertThat(server.get(location).statusCode()).isEqualTo(200);
        });
    assertThat(server.get("/openapi/v3/apis/no.such/v1").statusCode()).isEqualTo(404);
  }

  @Test
  void customObjectsAreServedInEveryVersion() {
    String path = "/apis/example.com/v1/namespaces/default/widgets";
    Tree widget =
        Tree.of(
            "apiVersion",
            "example.com/v1",
            "kind",
            "Widget",
            "metadata",
            Tree.of("name", "w"),
            "spec",
            Tree.of("size", 3, "color", "red"));
    assertThat(server.post(path, widget).statusCode()).isEqualTo(201);

    Tree old = server.getTree(path.replace("v1", "v1beta1") + "/w");
    Tree list = server.getTree(path + "?fieldSelector=spec.color%3Dred");

    assertThat(old.text("apiVersion")).isEqualTo("example.com/v1beta1");
    assertThat(list.trees("items").getFirst().text("apiVersion")).isEqualTo("example.com/v1");
    assertThat(server.getTree(path + "?fieldSelector=spec.color%3Dblue").trees("items")).isEmpty();
    assertThat(
            server.patch(path + "/w", "application/strategic-merge-patch+json", "{}").statusCode())
        .isEqualTo(415);
  }

  @Test
  void versionAndHealthAreTold() {
    assertThat(server.getTree("/version").text("gitVersion")).isEqualTo("v1.36.0+sluice");
    assertThat(server.get("/livez").body()).isEqualTo("ok");
    assertThat(server.get("/livez/ping").body()).isEqualTo("ok");
    assertThat(server.get("/readyz?verbose").body())
        .isEqualTo("[+]ping ok\n[+]store ok\nreadyz check passed\n");
    assertThat(server.getTree("/").textItems("paths")).contains("/apis", "/healthz");
  }
}
