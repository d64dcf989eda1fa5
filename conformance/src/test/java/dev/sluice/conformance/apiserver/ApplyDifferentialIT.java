package dev.sluice.conformance.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.ApiClient.Response;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Built-in kinds that several managers write. */
@RequiresKubernetes
@Timeout(120)
class ApplyDifferentialIT extends AppliedTwice {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final String PODS = "/api/v1/namespaces/default/pods";

  ApplyDifferentialIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    super(kubernetes, folder);
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
    String query = path + "?fieldManager=" + manager;
    Response answered = servers.ours.send("PATCH", query, APPLY, configuration);
    Response expected = servers.real.send("PATCH", query, APPLY, configuration);

    assertThat(answered.code()).isEqualTo(expected.code());
    assertThat(comparable(answered).at("metadata", "managedFields"))
        .isEqualTo(comparable(expected).at("metadata", "managedFields"));
    assertThat(comparable(answered).at("causes")).isEqualTo(comparable(expected).at("causes"));
  }
}
