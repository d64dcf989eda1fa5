package dev.sluice.apiserver.http;

import static dev.sluice.apiserver.http.TestServer.CONFIG_MAPS;
import static dev.sluice.apiserver.http.TestServer.configMap;
import static dev.sluice.apiserver.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of objects that clients create, change and delete. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObjectsTest {
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

  private final TestServer server = TestServer.start();

  @BeforeEach
  void clean() {
    server.delete(CONFIG_MAPS);
    server.delete(JOBS + "?propagationPolicy=Background");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void anObjectLivesItsLife(HttpClient.Version version) {
    var client = server.client(Optional.of(server.certificates.admin()), version);

    var created = TestServer.send(client, post(configMap("a")));
    assertThat(created.version()).isEqualTo(version);
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(tree(created).text("metadata", "uid")).isNotEmpty();

    Tree changed = tree(created).with(List.of("data", "key"), "new");
    var updated =
        TestServer.send(
            client,
            server.request(CONFIG_MAPS + "/a").PUT(BodyPublishers.ofString(changed.toString())));
    assertThat(updated.statusCode()).isEqualTo(200);
    assertThat(tree(server.get(CONFIG_MAPS + "/a")).text("data", "key")).isEqualTo("new");

    var deleted = TestServer.send(client, server.request(CONFIG_MAPS + "/a").DELETE());
    assertThat(tree(deleted).text("status")).isEqualTo("Success");
    assertThat(tree(deleted).text("details", "name")).isEqualTo("a");
    assertThat(server.get(CONFIG_MAPS + "/a").statusCode()).isEqualTo(404);
    client.close();
  }

  private HttpRequest.Builder post(Tree body) {
    return server.request(CONFIG_MAPS).POST(BodyPublishers.ofString(body.toString()));
  }

  record Failing(String what, String method, String path, String type, String body, String want) {
    @Override
    public String toString() {
      return what;
    }
  }

  static final List<Failing> FAILING =
      List.of(
          new Failing("missing object", "GET", CONFIG_MAPS + "/x", "", "", "404 NotFound"),
          new Failing("missing resource", "GET", "/api/v1/gadgets", "", "", "404 NotFound"),
          new Failing(
              "debugging containers",
              "GET",
              "/api/v1/namespaces/default/pods/x/ephemeralcontainers",
              "",
              "",
              "400 BadRequest"),
          new Failing(
              "missing subresource", "GET", CONFIG_MAPS + "/x/status", "", "", "404 NotFound"),
          new Failing(
              "cluster-scoped kind in a namespace",
              "GET",
              "/api/v1/namespaces/default/nodes",
              "",
              "",
              "404 NotFound"),
          new Failing("missing group", "GET", "/apis/no.such/v1/things", "", "", "404 text"),
          new Failing("missing version", "GET", "/apis/batch/v7/jobs", "", "", "404 text"),
          new Failing("missing path", "GET", "/nowhere", "", "", "404 text"),
          new Failing("head", "HEAD", CONFIG_MAPS, "", "", "405 "),
          new Failing(
              "post to an object", "POST", CONFIG_MAPS + "/x", "", "{}", "405 MethodNotAllowed"),
          new Failing(
              "create without a namespace",
              "POST",
              "/api/v1/configmaps",
              "",
              "{}",
              "405 MethodNotAllowed"),
          new Failing(
              "verb not offered", "DELETE", "/api/v1/namespaces", "", "", "405 MethodNotAllowed"),
          new Failing(
              "half of a surrogate pair in JSON",
              "POST",
              CONFIG_MAPS,
              "application/json",
              "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"data\":{\"a\":\"\\ud83d!\"}}",
              "400 BadRequest"),
          new Failing(
              "half of a surrogate pair in YAML",
              "POST",
              CONFIG_MAPS,
              "application/yaml",
              "{apiVersion: v1, kind: ConfigMap, data: {\"\\ud83d\": a}}",
              "400 BadRequest"),
          new Failing(
              "half of a surrogate pair in a patch",
              "PATCH",
              CONFIG_MAPS + "/a",
              "application/merge-patch+json",
              "{\"data\":{\"a\":\"\\ude00\"}}",
              "400 BadRequest"),
          new Failing(
              "half of a surrogate pair in a configuration",
              "PATCH",
              CONFIG_MAPS + "/a?fieldManager=m",
              "application/apply-patch+yaml",
              "{apiVersion: v1, kind: ConfigMap, data: {a: \"\\ud83d\\ud83d\\ude00\"}}",
              "400 BadRequest"),
          new Failing("not JSON", "POST", CONFIG_MAPS, "application/json", "{", "400 BadRequest"),
          new Failing(
              "not an object", "POST", CONFIG_MAPS, "application/json", "[]", "400 BadRequest"),
          new Failing(
              "strange type", "POST", CONFIG_MAPS, "text/xml", "<a/>", "415 UnsupportedMediaType"),
          new Failing(
              "patch without its type",
              "PATCH",
              CONFIG_MAPS + "/x",
              "application/json",
              "{}",
              "415 UnsupportedMediaType"),
          new Failing("bad dryRun", "POST", CONFIG_MAPS + "?dryRun=Some", "", "{}", "422 Invalid"),
          new Failing(
              "bad fieldValidation",
              "POST",
              CONFIG_MAPS + "?fieldValidation=Some",
              "",
              "{}",
              "422 Invalid"),
          new Failing(
              "bad propagation",
              "DELETE",
              CONFIG_MAPS + "/x",
              "",
              "{\"propagationPolicy\":\"Sideways\"}",
              "422 Invalid"),
          new Failing(
              "bad includeObject",
              "GET",
              CONFIG_MAPS + "?includeObject=Some",
              "",
              "",
              "400 BadRequest"),
          new Failing(
              "bad revision",
              "GET",
              CONFIG_MAPS + "/x?resourceVersion=y",
              "",
              "",
              "400 BadRequest"));

  @ParameterizedTest
  @FieldSource("FAILING")
  void refuses(Failing c) {
    var request = server.request(c.path()).method(c.method(), BodyPublishers.ofString(c.body()));
    var response =
        server.send(c.type().isEmpty() ? request : request.header("Content-Type", c.type()));

    assertThat(response.statusCode() + " " + reason(response)).isEqualTo(c.want());
  }

  private static String reason(HttpResponse<String> response) {
    boolean json = response.headers().firstValue("Content-Type").orElse("").contains("json");
    if (!json) {
      return "text";
    }
    return response.body().isEmpty() ? "" : tree(response).text("reason");
  }

  @Test
  void allPatchTypesWork() {
    server.createConfigMap("a");

    server.patch(CONFIG_MAPS + "/a", "application/merge-patch+json", "{\"data\":{\"m\":\"1\"}}");
    server.patch(
        CONFIG_MAPS + "/a",
        "application/json-patch+json",
        "[{\"op\":\"add\",\"path\":\"/data/j\",\"value\":\"2\"}]");
    var last =
        server.patch(
            CONFIG_MAPS + "/a",
            "application/strategic-merge-patch+json",
            "{\"data\":{\"s\":\"3\",\"key\":null}}");

    assertThat(last.statusCode()).isEqualTo(200);
    assertThat(tree(last).tree("data")).isEqualTo(Tree.of("m", "1", "j", "2", "s", "3"));
  }

  @Test
  void aBodyAboveTheLimitIsRefused() {
    Tree large = configMap("large").with(List.of("data", "key"), "x".repeat(3 * 1024 * 1024));
    var response = server.post(CONFIG_MAPS, large);

    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(tree(response).text("reason")).isEqualTo("RequestEntityTooLarge");
  }

  @Test
  void aDryRunChangesNothing() {
    assertThat(server.post(CONFIG_MAPS + "?dryRun=All", configMap("dry")).statusCode())
        .isEqualTo(201);
    assertThat(server.get(CONFIG_MAPS + "/dry").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Strict", "Warn", "Ignore", ""})
  void fieldsThatStandTwiceAreTreatedAsAsked(String validation) {
    String twice =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"twice\"},"
            + "\"data\":{\"a\":\"1\",\"a\":\"2\"}}";
    var response =
        server.send(
            server
                .request(CONFIG_MAPS + "?fieldValidation=" + validation)
                .POST(BodyPublishers.ofString(twice)));

    boolean strict = validation.equals("Strict");
    boolean warns = validation.equals("Warn") || validation.isEmpty();
    assertThat(response.statusCode()).isEqualTo(strict ? 400 : 201);
    assertThat(response.headers().allValues("Warning"))
        .isEqualTo(warns ? List.of("299 - \"duplicate field \\\"data.a\\\"\"") : List.of());
  }

  @Test
  void noMoreIsWarnedOfThanClientsCanRead() {
    Tree map = Tree.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Tree.of("name", "odd"));
    for (int i = 0; i < 2000; i++) {
      map = map.with("odd-" + i, i);
    }
    var response =
        server.send(server.request(CONFIG_MAPS).POST(BodyPublishers.ofString(map.toString())));

    assertThat(response.statusCode()).isEqualTo(201);
    List<String> told = response.headers().allValues("Warning");
    assertThat(told).hasSizeGreaterThan(50);
    assertThat(String.join("", told)).hasSizeLessThan(8192);
  }

  @Test
  void deletingAJobWithoutAPolicyWarns() {
    Tree job =
        Tree.of(
            "apiVersion",
            "batch/v1",
            "kind",
            "Job",
            "metadata",
            Tree.of("name", "j"),
            "spec",
            Tree.of(
                "template",
                Tree.of(
                    "spec",
                    Tree.of(
                        "restartPolicy",
                        "Never",
                        "containers",
                        List.of(Tree.of("name", "c", "image", "i"))))));
    assertThat(server.post(JOBS, job).statusCode()).isEqualTo(201);

    assertThat(server.delete(JOBS + "/j").headers().firstValue("Warning"))
        .hasValueSatisfying(warning -> assertThat(warning).contains("propagationPolicy"));
  }

  @Test
  void deletingACollectionAnswersWhatWasDeleted() {
    server.createConfigMap("a", "app", "web");
    server.createConfigMap("b", "app", "web");
    server.createConfigMap("c");

    Tree deleted = tree(server.delete(CONFIG_MAPS + "?labelSelector=app%3Dweb"));

    assertThat(deleted.text("kind")).isEqualTo("ConfigMapList");
    assertThat(deleted.trees("items")).hasSize(2);
    assertThat(server.getTree(CONFIG_MAPS).trees("items")).hasSize(1);
  }
}
