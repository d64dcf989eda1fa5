package dev.sluice.model.core.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.node.Toleration;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PodSpecTest {

  record RequestCase(String name, String spec, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<RequestCase> REQUESTS =
      List.of(
          new RequestCase(
              "containers add up",
              """
              containers:
              - {name: a, resources: {requests: {cpu: 500m, memory: 1Gi}}}
              - {name: b, resources: {requests: {cpu: "1", nvidia.com/gpu: 2}}}
              """,
              "{cpu=1500, memory=1073741824, nvidia.com/gpu=2}"),
          new RequestCase(
              "init containers run one at a time",
              """
              initContainers:
              - {name: i, resources: {requests: {cpu: "4"}}}
              - {name: j, resources: {requests: {cpu: "3", memory: 1k}}}
              containers:
              - {name: a, resources: {requests: {cpu: "2"}}}
              """,
              "{cpu=4000, memory=1000}"),
          new RequestCase(
              "a sidecar runs beside the init containers after it",
              """
              initContainers:
              - {name: s, restartPolicy: Always, resources: {requests: {cpu: "1"}}}
              - {name: i, resources: {requests: {cpu: "4"}}}
              containers:
              - {name: a, resources: {requests: {cpu: "2"}}}
              """,
              "{cpu=5000}"),
          new RequestCase(
              "a sidecar does not run beside the init containers before it",
              """
              initContainers:
              - {name: i, resources: {requests: {cpu: "4"}}}
              - {name: s, restartPolicy: Always, resources: {requests: {cpu: "1"}}}
              containers:
              - {name: a, resources: {requests: {cpu: "2"}}}
              """,
              "{cpu=4000}"),
          new RequestCase(
              "the pod's own requests replace the sum, and overhead comes on top",
              """
              resources: {requests: {cpu: "3", nvidia.com/gpu: 9}}
              overhead: {cpu: 250m}
              containers:
              - {name: a, resources: {requests: {cpu: "2", memory: "5"}}}
              """,
              "{cpu=3250, memory=5}"),
          new RequestCase(
              "parts of a unit add up before they are rounded",
              """
              containers:
              - {name: a, resources: {requests: {cpu: 400u, example.com/slot: 500m}}}
              - {name: b, resources: {requests: {cpu: 600u, example.com/slot: 500m}}}
              """,
              "{cpu=1, example.com/slot=1}"),
          new RequestCase("nothing asked", "containers: [{name: a}]", "{}"));

  @ParameterizedTest
  @FieldSource("REQUESTS")
  void requests(RequestCase c) {
    assertThat(spec(c.spec()).requests().byResource()).hasToString(c.want());
  }

  record TolerationCase(Toleration toleration, Taint taint, boolean want) {}

  static final List<TolerationCase> TOLERATIONS =
      List.of(
          new TolerationCase(toleration("k", false, "v", ""), taint("k", "v"), true),
          new TolerationCase(toleration("k", false, "w", ""), taint("k", "v"), false),
          new TolerationCase(toleration("k", true, "", ""), taint("k", "v"), true),
          new TolerationCase(toleration("", true, "", ""), taint("k", "v"), true),
          new TolerationCase(toleration("", false, "v", ""), taint("k", "v"), false),
          new TolerationCase(toleration("k", true, "", "NoExecute"), taint("k", "v"), false),
          new TolerationCase(toleration("k", true, "", "NoSchedule"), taint("k", "v"), true));

  @ParameterizedTest
  @FieldSource("TOLERATIONS")
  void tolerates(TolerationCase c) {
    assertThat(c.toleration().tolerates(c.taint())).isEqualTo(c.want());
  }

  record AffinityCase(String term, boolean want) {}

  static final List<AffinityCase> AFFINITIES =
      List.of(
          new AffinityCase("matchExpressions: [{key: a, operator: In, values: [x, y]}]", true),
          new AffinityCase("matchExpressions: [{key: a, operator: In, values: [z]}]", false),
          new AffinityCase("matchExpressions: [{key: a, operator: NotIn, values: [x]}]", false),
          new AffinityCase("matchExpressions: [{key: no, operator: NotIn, values: [x]}]", true),
          new AffinityCase("matchExpressions: [{key: a, operator: Exists}]", true),
          new AffinityCase("matchExpressions: [{key: no, operator: Exists}]", false),
          new AffinityCase("matchExpressions: [{key: no, operator: DoesNotExist}]", true),
          new AffinityCase("matchExpressions: [{key: size, operator: Gt, values: ['9']}]", true),
          new AffinityCase("matchExpressions: [{key: size, operator: Gt, values: ['10']}]", false),
          new AffinityCase("matchExpressions: [{key: size, operator: Lt, values: ['11']}]", true),
          new AffinityCase("matchExpressions: [{key: a, operator: Lt, values: ['11']}]", false),
          new AffinityCase("matchExpressions: [{key: a, operator: Near, values: [x]}]", false),
          new AffinityCase("matchFields: [{key: metadata.name, operator: In, values: [n1]}]", true),
          new AffinityCase(
              "matchFields: [{key: metadata.name, operator: In, values: [n2]}]", false),
          new AffinityCase("matchExpressions: []", false));

  @ParameterizedTest
  @FieldSource("AFFINITIES")
  void affinityMatches(AffinityCase c) {
    PodSpec pod =
        spec(
            """
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - {%s}
            """
                .formatted(c.term()));
    Map<String, String> labels = new TreeMap<>();
    labels.put("a", "x");
    labels.put("size", "10");

    assertThat(pod.nodeAffinity().matches("n1", labels)).isEqualTo(c.want());
  }

  private static PodSpec spec(String yaml) {
    return new PodSpec(Yaml.parseAll(yaml).getFirst().asTree());
  }

  private static Toleration toleration(String key, boolean exists, String value, String effect) {
    return new Toleration(key, exists, value, effect);
  }

  private static Taint taint(String key, String value) {
    return new Taint(key, value, Taint.NO_SCHEDULE);
  }
}
