package dev.sluice.apiserver.http;

import static dev.sluice.apiserver.http.TestServer.CONFIG_MAPS;
import static dev.sluice.apiserver.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.WriteOptions;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Server-side apply over HTTP, and what other writes do to the owners of fields. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApplyTest {
  private static final String TYPE = "application/apply-patch+yaml";
  private static final String MERGE = "application/merge-patch+json";
  private static final String JOB = "/apis/batch/v1/namespaces/default/jobs/j";

  private final TestServer server = TestServer.start();

  @AfterAll
  void stop() {
    server.close();
  }

  private static String configMap(String name, String data) {
    return "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}, data: {%s}}"
        .formatted(name, data);
  }

  private HttpResponse<String> apply(String name, String query, String data) {
    return server.patch(CONFIG_MAPS + "/" + name + "?" + query, TYPE, configMap(name, data));
  }

  private List<Tree> owners(String path) {
    return server.getTree(path).trees("metadata", "managedFields");
  }

  private List<String> managers(String path) {
    return owners(path).stream()
        .map(entry -> entry.text("manager") + " " + entry.text("operation"))
        .toList();
  }

  @Test
  void createsWhatIsMissing() {
    HttpResponse<String> dry = apply("new", "fieldManager=a&dryRun=All", "k: v");
    HttpResponse<String> created = apply("new", "fieldManager=a", "k: v");
    HttpResponse<String> again = apply("new", "fieldManager=a", "k: v");

    assertThat(dry.statusCode()).isEqualTo(201);
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(created.body());
    Tree owner = owners(CONFIG_MAPS + "/new").getFirst();
    assertThat(owner.text("time")).isNotEmpty();
    assertThat(owner.without("time"))
        .isEqualTo(
            Tree.of(
                "manager",
                "a",
                "operation",
                "Apply",
                "apiVersion",
                "v1",
                "fieldsType",
                "FieldsV1",
                "fieldsV1",
                Tree.of("f:data", Tree.of("f:k", Tree.EMPTY))));
  }

  @Test
  void tellsConflictsAndObeysForce() {
    apply("c", "fieldManager=a", "k: v");

    HttpResponse<String> refused = apply("c", "fieldManager=b", "k: w");
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(tree(refused).tree("details").trees("causes"))
        .containsExactly(
            Tree.of(
                "reason",
                "FieldManagerConflict",
                "field",
                ".data.k",
                "message",
                "conflict with \"a\""));
    assertThat(apply("c", "fieldManager=b&force=true&dryRun=All", "k: w").statusCode())
        .isEqualTo(200);
    assertThat(managers(CONFIG_MAPS + "/c")).containsExactly("a Apply");
    apply("c", "fieldManager=b&force=true", "k: w");
    assertThat(managers(CONFIG_MAPS + "/c")).containsExactly("b Apply");
  }

  @Test
  void statusHasOwnersOfItsOwn() {
    String job =
        "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {suspend: true, template:"
            + " {spec: {restartPolicy: Never, containers: [{name: m, image: i}]}}}, status:"
            + " {active: 3}}";
    String status =
        "{apiVersion: batch/v1, kind: Job, spec: {suspend: false}, status: {active: 1}}";

    assertThat(server.patch(JOB + "/status?fieldManager=s", TYPE, status).statusCode())
        .isEqualTo(404);
    server.patch(JOB + "?fieldManager=s", TYPE, job);
    server.patch(JOB + "/status?fieldManager=s", TYPE, status);

    Tree now = server.getTree(JOB);
    assertThat(now.flag("spec", "suspend")).isTrue();
    assertThat(now.whole("status", "active")).hasValue(1);
    assertThat(owners(JOB))
        .extracting(entry -> entry.text("subresource"))
        .containsExactly("", "status");
    assertThat(owners(JOB).getFirst().tree("fieldsV1").names()).containsExactly("f:spec");
    assertThat(owners(JOB).getLast().tree("fieldsV1").names()).containsExactly("f:status");
  }

  @Test
  void writersWhoGiveANameAreRemembered() {
    server.post(CONFIG_MAPS + "?fieldManager=creator", TestServer.configMap("named"));
    server.patch(CONFIG_MAPS + "/named?fieldManager=patcher", MERGE, "{\"data\":{\"p\":\"1\"}}");
    server.send(
        server
            .request(CONFIG_MAPS + "/named")
            .header("Content-Type", MERGE)
            .header("User-Agent", "tool/v1 (linux)")
            .method("PATCH", BodyPublishers.ofString("{\"data\":{\"q\":\"1\"}}")));

    assertThat(managers(CONFIG_MAPS + "/named"))
        .containsExactlyInAnyOrder("creator Update", "patcher Update", "tool Update");
  }

  @Test
  void writersWhoDoNotAreNotUntilSomebodyApplies() {
    server.post(CONFIG_MAPS, TestServer.configMap("plain"));
    server.patch(CONFIG_MAPS + "/plain?fieldManager=patcher", MERGE, "{\"data\":{\"p\":\"1\"}}");
    assertThat(managers(CONFIG_MAPS + "/plain")).isEmpty();

    apply("plain", "fieldManager=a", "p: '1'");
    assertThat(managers(CONFIG_MAPS + "/plain"))
        .containsExactly("a Apply", "before-first-apply Update");
  }

  @Test
  void writersInThisProgramAreRememberedWhereOthersOwnFields() {
    apply("inside", "fieldManager=a", "k: v, l: w");
    var kind = server.registry.find("", "v1", "configmaps").orElseThrow();
    var before = new ApiObject(server.getTree(CONFIG_MAPS + "/inside"));
    ApiObject changed = before.with(List.of("data", "k"), "changed");
    server.registry.update(kind, "default", "inside", "", changed.tree(), WriteOptions.INTERNAL);

    assertThat(managers(CONFIG_MAPS + "/inside")).containsExactly("a Apply", "sluice Update");
    assertThat(apply("inside", "fieldManager=a", "k: v, l: w").statusCode()).isEqualTo(409);
  }

  @Test
  void anEmptyListForgetsEverybody() {
    for (String nobody : List.of("[]", "[{}]")) {
      apply("forget", "fieldManager=a&force=true", "k: v");
      server.patch(
          CONFIG_MAPS + "/forget",
          "application/json-patch+json",
          "[{\"op\":\"replace\",\"path\":\"/metadata/managedFields\",\"value\":" + nobody + "}]");

      assertThat(managers(CONFIG_MAPS + "/forget")).as(nobody).isEmpty();
    }
  }

  record Refusal(String name, String query, String type, String body, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Refusal> REFUSALS =
      List.of(
          new Refusal(
              "no manager", "", TYPE, configMap("x", ""), "422 fieldManager: Required value"),
          new Refusal(
              "a long manager", "fieldManager=" + "m".repeat(129), TYPE, "{}", "422 Too long"),
          new Refusal(
              "a manager with a line break", "fieldManager=a%0Ab", TYPE, "{}", "422 printable"),
          new Refusal(
              "CBOR", "fieldManager=a", "application/apply-patch+cbor", "", "415 apply-patch+yaml"),
          new Refusal("force alone", "force=true", MERGE, "{}", "422 force: Forbidden"),
          new Refusal("no object", "fieldManager=a", TYPE, "[1]", "400 error decoding YAML"),
          new Refusal("no YAML", "fieldManager=a", TYPE, "{", "400 error decoding YAML: line 1"),
          new Refusal(
              "a name twice",
              "fieldManager=a",
              TYPE,
              configMap("x", "a: b, a: c"),
              "400 \"a\" stands twice"),
          new Refusal(
              "another kind",
              "fieldManager=a",
              TYPE,
              "{apiVersion: v1, kind: Secret}",
              "400 invalid object type: /v1, Kind=Secret"),
          new Refusal(
              "another name",
              "fieldManager=a",
              TYPE,
              configMap("z", ""),
              "400 the name of the object (z) does not match the name on the URL (x)"),
          new Refusal(
              "owners",
              "fieldManager=a",
              TYPE,
              "{apiVersion: v1, kind: ConfigMap, metadata: {managedFields: []}}",
              "400 metadata.managedFields must be nil"),
          new Refusal(
              "a uid of nothing",
              "fieldManager=a",
              TYPE,
              "{apiVersion: v1, kind: ConfigMap, metadata: {uid: u}}",
              "409 uid mismatch"),
          new Refusal(
              "a revision of nothing",
              "fieldManager=a",
              TYPE,
              "{apiVersion: v1, kind: ConfigMap, metadata: {resourceVersion: '7'}}",
              "409 the object has been modified"),
          new Refusal(
              "an unknown field",
              "fieldManager=a",
              TYPE,
              "{apiVersion: v1, kind: ConfigMap, dota: {}}",
              "400 .dota: field not declared in schema"),
          new Refusal(
              "a value of the wrong type",
              "fieldManager=a",
              TYPE,
              configMap("x", "a: 1"),
              "400 data.a"));

  @ParameterizedTest
  @FieldSource("REFUSALS")
  void refuses(Refusal c) {
    var response = server.patch(CONFIG_MAPS + "/x?" + c.query(), c.type(), c.body());

    String[] want = c.want().split(" ", 2);
    assertThat(response.statusCode() + " " + tree(response).text("message"))
        .startsWith(want[0])
        .contains(want[1]);
  }
}
