package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.testkit.ApiClient.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same requests by the same managers to our API server and to the real one: each must be
 * answered alike, down to who owns which field.
 */
@RequiresKubernetes
@Timeout(120)
class ApplyDifferentialIT {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GATES = "/apis/apply.sluice.dev/v1/namespaces/default/gates";

  private final EmbeddedServer embedded;
  private final ApiClient ours;
  private final ApiClient real;

  ApplyDifferentialIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    this.embedded = new EmbeddedServer(folder);
    this.ours = new ApiClient(embedded.kubeconfig());
    this.real = new ApiClient(kubernetes.kubeconfig());
  }

  @AfterEach
  void close() {
    ours.close();
    real.close();
    embedded.close();
  }

  private void apply(String path, String manager, String configuration) {
    send("PATCH", path + "?fieldManager=" + manager, "application/apply-patch+yaml", configuration);
  }

  private void merge(String path, String manager, String changes) {
    String json = Json.write(Yaml.parseAll(changes).getFirst());
    send("PATCH", path + "?fieldManager=" + manager, "application/merge-patch+json", json);
  }

  private void patch(String path, String operations) {
    String json = Json.write(Yaml.parseAll(operations).getFirst());
    send("PATCH", path, "application/json-patch+json", json);
  }

  private void write(String method, String path, String object) {
    send(method, path, "application/json", Json.write(Yaml.parseAll(object).getFirst()));
  }

  private void send(String method, String path, String type, String body) {
    Answer answered = ours.send(method, path, type, body);
    Answer expected = real.send(method, path, type, body);

    String what = "%s %s %s: %s".formatted(method, path, body, expected.body());
    assertThat(answered.code()).as(what).isEqualTo(expected.code());
    assertThat(comparable(answered)).as(what).isEqualTo(comparable(expected));
  }

  /** An answer without what differs from server to server. */
  private static Tree comparable(Answer answer) {
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

  private static String configMap(String metadata, String rest) {
    return "{apiVersion: v1, kind: ConfigMap, metadata: {%s}, %s}".formatted(metadata, rest);
  }

  @Test
  void configMaps() {
    String one = CONFIG_MAPS + "/one";
    apply(one, "a", configMap("name: one", "data: {x: '1', w: '2'}"));
    apply(one, "a", configMap("name: one", "data: {x: '1', w: '2'}"));
    apply(one, "b", configMap("name: one, labels: {l: v}", "data: {x: '1', z: '3'}"));
    apply(one, "b", configMap("name: one", "data: {x: '2', w: '3'}"));
    apply(one, "b&dryRun=All", configMap("name: one", "data: {v: '2'}"));
    apply(one, "b&force=true", configMap("name: one", "data: {x: '2'}"));
    apply(one, "a", configMap("name: one", "data: {w: '2'}"));
    merge(one, "c", "{data: {w: '9', q: null, u: u}}");
    merge(one, "", "{data: {u: t}}");
    apply(one, "a", configMap("name: one", "data: {w: '2', u: 'x'}"));
    apply(one, "a", configMap("name: one", ""));
    apply(one, "a", configMap("name: one", "data: {}"));
    apply(one, "a", configMap("name: one", "data: null"));
    apply(one, "a", configMap("name: one, finalizers: [x/y, x/z]", ""));
    apply(one, "b", configMap("name: one, finalizers: [x/w, x/z]", ""));
    apply(one, "a", configMap("name: one", ""));
    apply(one, "b", configMap("name: one", ""));
  }

  @Test
  void ownersThatAreWrittenByHand() {
    String two = CONFIG_MAPS + "/two";
    apply(two, "a", configMap("name: two", "data: {x: '1', w: '2'}"));
    patch(two, "[{op: replace, path: /metadata/managedFields/0/manager, value: z}]");
    patch(two, "[{op: replace, path: /metadata/managedFields/0/operation, value: Steal}]");
    patch(two, "[{op: add, path: /metadata/managedFields/0/fieldsV1/f:data/f:no, value: {}}]");
    write("PUT", two, configMap("name: two", "data: {x: '1', w: '3'}"));
    patch(two, "[{op: replace, path: /metadata/managedFields, value: []}]");
    merge(two, "m", "{data: {w: n}}");
    apply(two, "a", configMap("name: two", "data: {x: '2'}"));
    apply(two, "a&force=true", configMap("name: two", "data: {x: '2'}"));
    patch(two, "[{op: replace, path: /metadata/managedFields, value: [{}]}]");
    apply(two, "b", configMap("name: two", "data: {x: '2'}"));
  }

  @Test
  void manyManagers() {
    write("POST", CONFIG_MAPS + "?fieldManager=c", configMap("name: many", "data: {a: b}"));
    for (int i = 0; i < 13; i++) {
      // In the order of their names too, since the servers may see them in different seconds.
      String manager = "u" + (10 + i);
      merge(CONFIG_MAPS + "/many", manager, "{data: {k%d: '9', a: '%d'}}".formatted(i, i));
    }
    merge(CONFIG_MAPS + "/many", "last", "{data: null}");
  }

  @Test
  void refusals() {
    String four = CONFIG_MAPS + "/four";
    apply(four, "a", configMap("name: four, uid: u", ""));
    apply("/api/v1/namespaces/nowhere/configmaps/four", "a", configMap("name: four", ""));
    apply(four, "a", configMap("name: four", "data: {x: '1'}"));
    apply(four, "", configMap("name: four", ""));
    apply(four, "x".repeat(129), configMap("name: four", ""));
    apply(four, "a", configMap("name: five", ""));
    apply(four, "a", configMap("name: four, namespace: other", ""));
    apply(four, "a", configMap("name: four, managedFields: [{manager: x}]", ""));
    apply(four, "a", configMap("name: four, resourceVersion: '1'", ""));
    apply(four, "a", configMap("name: four", "dota: {}"));
    apply(four, "a", "{apiVersion: v2, kind: ConfigMap, metadata: {name: four}}");
    apply(four, "a", "{apiVersion: v1, kind: Secret, metadata: {name: four}}");
    apply(four, "a", "[1]");
    apply(four, "a", "{");
    merge(four, "a&force=true", "{}");
    send("PATCH", four + "?fieldManager=a", "application/apply-patch+cbor", "{}");
    apply(four + "/status", "a", configMap("name: four", ""));
  }

  private static String job(String name, String spec, String container) {
    return """
    {apiVersion: batch/v1, kind: Job, metadata: {name: %s, labels: {a: b}}, spec: {%s,
      template: {spec: {restartPolicy: Never, containers: [{name: main, %s}]}}}}
    """
        .formatted(name, spec, container);
  }

  @Test
  void jobs() {
    String one = JOBS + "/one";
    String container = "image: i, env: [{name: A, value: '1'}], ports: [{containerPort: 80}]";
    apply(one, "a", job("one", "suspend: true", container));
    apply(one, "a", job("one", "suspend: true", container));
    apply(one, "b", job("one", "suspend: true", container.replace("'1'", "'2'")));
    merge(one, "q", "{spec: {suspend: false, parallelism: 3}}");
    apply(one, "a", job("one", "suspend: true", container));
    apply(one, "a", job("one", "parallelism: 3", container));
    apply(one + "/status", "a", "{apiVersion: batch/v1, kind: Job, status: {active: 1}}");
    merge(one + "/status", "q", "{status: {active: 2, ready: 1}}");
    apply(one + "/status", "a", "{apiVersion: batch/v1, kind: Job, status: {active: 1}}");
    apply(JOBS + "/no/status", "a", "{apiVersion: batch/v1, kind: Job, status: {active: 1}}");
    apply(
        one, "a", job("one", "parallelism: 3", "image: i, ports: [{hostPort: 1}, {hostPort: 2}]"));
    apply(one, "a", job("one", "parallelism: 3", "imoge: i"));
  }

  @Test
  void jobsThatWereCreatedBefore() {
    String container =
        "image: i, resources: {requests: {cpu: 1500m}}, env: [{name: A, value: '1'}]";
    write("POST", JOBS + "?fieldManager=k", job("two", "suspend: true", container));
    apply(JOBS + "/two", "a", job("two", "suspend: true", container));
    apply(JOBS + "/two", "a", job("two", "suspend: false", "image: other"));
    apply(JOBS + "/two", "a&force=true", job("two", "suspend: false", container));
    apply(JOBS + "/two", "a", job("two", "backoffLimit: 3", container));
  }

  @Test
  void pods() {
    String one = PODS + "/one";
    String pod =
        """
        {apiVersion: v1, kind: Pod, metadata: {name: one}, spec: {containers: [
          {name: c, image: i, volumeMounts: [{name: v, mountPath: /a}]}, {name: d, image: i}],
          nodeSelector: {a: b}, volumes: [{name: v, emptyDir: {}}],
          tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute},
            {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute}]}}
        """;
    String image = "{apiVersion: v1, kind: Pod, spec: {containers: [{name: %s, image: %s}]}}";
    podOwners(one, "a", pod);
    podOwners(one, "b", image.formatted("d", "j"));
    podOwners(one, "b&force=true", image.formatted("d", "j"));
    podOwners(one, "b", image.formatted("c", "i"));
  }

  /** The defaults of pods differ, because the real server has more admission plugins. */
  private void podOwners(String path, String manager, String configuration) {
    String type = "application/apply-patch+yaml";
    String query = path + "?fieldManager=" + manager;
    Answer answered = ours.send("PATCH", query, type, configuration);
    Answer expected = real.send("PATCH", query, type, configuration);

    assertThat(answered.code()).isEqualTo(expected.code());
    assertThat(comparable(answered).at("metadata", "managedFields"))
        .isEqualTo(comparable(expected).at("metadata", "managedFields"));
    assertThat(comparable(answered).at("causes")).isEqualTo(comparable(expected).at("causes"));
  }

  private static final String GATE =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: gates.apply.sluice.dev}
      spec:
        group: apply.sluice.dev
        scope: Namespaced
        names: {kind: Gate, plural: gates}
        versions:
        - &version
          name: v1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  properties:
                    width: {type: integer}
                    size: {type: string, default: large}
                    any: {type: object, x-kubernetes-preserve-unknown-fields: true}
                    free: {type: object, additionalProperties: {type: object, properties: {
                      a: {type: string}, b: {type: string}}}}
                    whole: {type: object, x-kubernetes-map-type: atomic, properties: {
                      a: {type: string}, b: {type: string}}}
                    list: {type: array, items: {type: string}}
                    set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
                    numbers: {type: array, x-kubernetes-list-type: set, items: {type: integer}}
                    keyed:
                      type: array
                      x-kubernetes-list-type: map
                      x-kubernetes-list-map-keys: [name, port]
                      items:
                        type: object
                        required: [name]
                        properties:
                          name: {type: string}
                          port: {type: integer, default: 80}
                          value: {type: string}
                status:
                  type: object
                  properties: {open: {type: boolean}, level: {type: integer}}
      """;

  private static String gate(String spec) {
    return "{apiVersion: apply.sluice.dev/v1, kind: Gate, metadata: {name: g}, spec: {%s}}"
        .formatted(spec);
  }

  private void installGates() {
    for (ApiClient server : List.of(ours, real)) {
      server.send(
          "POST",
          "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
          "application/yaml",
          GATE);
      Eventually.holds("gates are served", () -> server.send("GET", GATES, "", "").code() == 200);
    }
  }

  @Test
  void customResources() {
    installGates();
    String g = GATES + "/g";
    String keyed = "keyed: [{name: a, value: x}, {name: b, port: 1}]";
    apply(g, "a", gate("width: 1, set: [a, b], numbers: [1, 2], list: [x], " + keyed));
    apply(g, "b", gate("set: [c, b], keyed: [{name: c}, {name: b, port: 1, value: z}]"));
    apply(g, "b", gate("set: [d, a], keyed: [{name: a, value: other}], list: [z]"));
    apply(g, "b&force=true", gate("set: [d, a], keyed: [{name: a, value: other}], list: [z]"));
    apply(g, "a", gate("width: 1, set: [b]"));
    merge(g, "m", "{spec: {any: {p: {q: 1}, r: [1]}, free: {k: {a: x}}, whole: {a: x}}}");
    apply(g, "a", gate("any: {p: {q: 2, s: 1}}, free: {k: {b: x}, l: {}}, whole: {a: x, b: z}"));
    apply(g, "a", gate("any: {p: {s: 1}}, free: {k: {b: x}, l: {}}"));
    apply(g, "a", gate("any: {r: [2]}"));
    apply(g, "a", gate("whole: {}, free: {}, size: small"));
    apply(g, "a", gate(""));
    apply(g, "a", gate("size: null"));
    apply(g, "a", gate("unknown: 1"));
    apply(g, "a", gate("keyed: [{name: a}, {name: a, port: 80}]"));
    apply(g, "a", gate("keyed: [{port: 80}]"));
    apply(g, "a", gate("set: [a, a]"));
    merge(g, "m", "{spec: {keyed: null, any: null}}");
  }

  @Test
  void statusOfCustomResources() {
    installGates();
    String g = GATES + "/h";
    String head = "apiVersion: apply.sluice.dev/v1, kind: Gate";
    String status = "{%s, metadata: {labels: {a: b}}, spec: {width: 7}, status: {open: true}}";
    write(
        "POST",
        GATES + "?fieldManager=k",
        "{%s, metadata: {name: h}, spec: {width: 1}}".formatted(head));
    apply(g + "/status", "a", status.formatted(head));
    merge(g + "/status", "q", "{status: {open: false, level: 2}, spec: {width: 3}}");
    apply(g + "/status", "a", status.formatted(head));
    apply(g, "a", "{%s, spec: {width: 1}, status: {level: 9}}".formatted(head));
    apply(g, "a", "{%s, spec: {width: 2}}".formatted(head));
  }
}
