package dev.sluice.apiserver.http;

import static dev.sluice.apiserver.http.TestServer.CONFIG_MAPS;
import static dev.sluice.apiserver.http.TestServer.configMap;
import static dev.sluice.apiserver.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Base64;
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

@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObjectsTest {
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

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

  private java.net.http.HttpRequest.Builder post(Tree body) {
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
  void yamlIsReadAndWritten() {
    var created =
        server.send(
            server
                .request(CONFIG_MAPS)
                .header("Content-Type", "application/yaml")
                .header("Accept", "application/yaml")
                .POST(
                    BodyPublishers.ofString(
                        "{apiVersion: v1, kind: ConfigMap, metadata: {name: y}, data: {a: b}}")));

    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(created.headers().firstValue("Content-Type")).hasValue("application/yaml");
    assertThat(created.body()).contains("kind: ConfigMap");
  }

  @Test
  void protobufIsRead() {
    // The ConfigMap "pb" with a=b, as kubectl create configmap sends it.
    byte[] body =
        Base64.getDecoder()
            .decode("azhzAAoPCgJ2MRIJQ29uZmlnTWFwEhwKEgoCcGISABoAIgAqADIAOABCABIGCgFhEgFi");
    var created =
        server.send(
            server
                .request(CONFIG_MAPS)
                .header("Content-Type", "application/vnd.kubernetes.protobuf")
                .header("Accept", "application/vnd.kubernetes.protobuf,application/json")
                .POST(BodyPublishers.ofByteArray(body)));

    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    assertThat(tree(created).text("data", "a")).isEqualTo("b");
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

  @Test
  void tablesIncludeWhatIsAskedFor() {
    server.createConfigMap("a");

    assertThat(row("").text("object", "kind")).isEqualTo("PartialObjectMetadata");
    assertThat(row("?includeObject=Object").text("object", "kind")).isEqualTo("ConfigMap");
    assertThat(row("?includeObject=None").tree("object").isEmpty()).isTrue();
    assertThat(row("/a").items("cells").getFirst().asText()).isEqualTo("a");
  }

  private Tree row(String suffix) {
    var response = server.send(server.request(CONFIG_MAPS + suffix).header("Accept", TABLE));
    return tree(response).trees("rows").getFirst();
  }

  @Test
  void metadataAloneCanBeAskedFor() {
    server.createConfigMap("a");
    String meta = "application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadata";

    Tree one = tree(server.send(server.request(CONFIG_MAPS + "/a").header("Accept", meta)));
    Tree list = tree(server.send(server.request(CONFIG_MAPS).header("Accept", meta + "List")));

    assertThat(one.names()).containsExactly("apiVersion", "kind", "metadata");
    assertThat(list.text("kind")).isEqualTo("PartialObjectMetadataList");
    assertThat(list.trees("items").getFirst().text("metadata", "name")).isEqualTo("a");
  }

  @Test
  void answersArePrettyForPeople() {
    server.createConfigMap("a");

    assertThat(server.get(CONFIG_MAPS + "/a").body()).doesNotContain("\n");
    assertThat(server.get(CONFIG_MAPS + "/a?pretty=true").body()).contains("\n  ");
    assertThat(
            server.send(server.request(CONFIG_MAPS + "/a").header("User-Agent", "curl/8")).body())
        .contains("\n  ");
  }

  @Test
  void largeAnswersAreCompressedForThoseWhoReadThat() throws Exception {
    server.post(CONFIG_MAPS, configMap("big").with(List.of("data", "key"), "x".repeat(200 * 1024)));
    var zipped =
        server
            .admin()
            .send(
                server.request(CONFIG_MAPS).header("Accept-Encoding", "gzip").build(),
                HttpResponse.BodyHandlers.ofByteArray());

    assertThat(zipped.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(zipped.body().length).isLessThan(10 * 1024);
    assertThat(server.get(CONFIG_MAPS).headers().firstValue("Content-Encoding")).isEmpty();
  }

  @Test
  void callersCanAskAboutThemselves() {
    Tree who = Tree.of("apiVersion", "authentication.k8s.io/v1", "kind", "SelfSubjectReview");
    Tree may = Tree.of("apiVersion", "authorization.k8s.io/v1", "kind", "SelfSubjectAccessReview");

    var name = server.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", who);
    var allowed = server.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", may);

    assertThat(name.statusCode()).isEqualTo(201);
    assertThat(tree(name).text("status", "userInfo", "username")).isEqualTo("sluice-admin");
    assertThat(tree(allowed).flag("status", "allowed")).isTrue();
  }

  @Test
  void whoeverIsNotKnownMayOnlyLookAtVersionAndHealth() {
    var anonymous = server.client(Optional.empty(), HttpClient.Version.HTTP_2);
    var stranger =
        server.client(
            Optional.of(
                server
                    .certificates
                    .authority()
                    .issueClient("ann", "team", java.time.Instant.now())),
            HttpClient.Version.HTTP_2);

    assertThat(code(anonymous, "/version")).isEqualTo(200);
    assertThat(code(anonymous, "/healthz")).isEqualTo(200);
    assertThat(code(anonymous, "/api")).isEqualTo(403);
    assertThat(code(anonymous, CONFIG_MAPS)).isEqualTo(403);
    assertThat(code(stranger, CONFIG_MAPS)).isEqualTo(403);
    assertThat(code(stranger, "/no/such/thing")).isEqualTo(403);
    var token = server.request("/healthz").header("Authorization", "Bearer x");
    assertThat(TestServer.send(anonymous, token).statusCode()).isEqualTo(401);
    anonymous.close();
    stranger.close();
  }

  @Test
  void nobodyActsAsSomebodyElse() {
    var response =
        server.send(server.request(CONFIG_MAPS).header("Impersonate-User", "system:anonymous"));

    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(tree(response).text("message")).contains("impersonation is not supported");
  }

  private int code(HttpClient client, String path) {
    return TestServer.send(client, server.request(path)).statusCode();
  }
}
