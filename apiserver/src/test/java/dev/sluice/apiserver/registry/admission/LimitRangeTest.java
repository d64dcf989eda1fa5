package dev.sluice.apiserver.registry.admission;

import static dev.sluice.apiserver.registry.World.refused;
import static dev.sluice.model.Kinds.LIMIT_RANGE;
import static dev.sluice.model.Kinds.POD;
import static dev.sluice.model.Kinds.RUNTIME_CLASS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What the LimitRanger of a namespace, and RuntimeClasses, do to new pods. */
class LimitRangeTest {
  private final World world = new World();

  private void limit(String limit) {
    world.create(
        LIMIT_RANGE,
        "{apiVersion: v1, kind: LimitRange, metadata: {name: x}, spec: {limits: [" + limit + "]}}");
  }

  private static Tree pod(String spec) {
    return MergePatch.apply(Samples.pod("p"), Tree.of("spec", World.yaml(spec)));
  }

  private static Tree asking(String resources) {
    return pod("{containers: [{name: main, image: i, resources: " + resources + "}]}");
  }

  @Test
  void containersThatSayNothingGetTheDefaults() {
    limit("{type: Container, default: {cpu: 2, memory: 1Gi}, defaultRequest: {cpu: 1}}");
    ApiObject pod =
        world.create(
            POD,
            pod(
                "{initContainers: [{name: init, image: i}], containers: [{name: main, image: i,"
                    + " resources: {limits: {cpu: 3}}}]}"));

    assertThat(pod.spec().trees("containers").getFirst().tree("resources"))
        .hasToString(
            "{\"limits\":{\"cpu\":\"3\",\"memory\":\"1Gi\"},"
                + "\"requests\":{\"cpu\":\"3\",\"memory\":\"1Gi\"}}");
    assertThat(pod.annotation("kubernetes.io/limit-ranger"))
        .isEqualTo(
            "LimitRanger plugin set: memory request for container main; memory limit for container"
                + " main; cpu, memory request for init container init; cpu, memory limit for init"
                + " container init");
    assertThat(pod.status().text("qosClass")).isEqualTo("Burstable");
  }

  record Bound(String limit, String resources, String want) {}

  static final List<Bound> BOUNDS =
      List.of(
          new Bound(
              "{type: Pod, min: {cpu: 1}}",
              "{requests: {cpu: 500m}}",
              "minimum cpu usage per Pod is 1, but request is 500m"),
          new Bound(
              "{type: Pod, min: {cpu: 1}}",
              "{}",
              "minimum cpu usage per Pod is 1.  No request is specified"),
          new Bound(
              "{type: Pod, max: {memory: 1Gi}}",
              "{limits: {memory: 2Gi}}",
              "maximum memory usage per Pod is 1Gi, but limit is 2Gi"),
          new Bound(
              "{type: Pod, max: {memory: 1Gi}}",
              "{}",
              "maximum memory usage per Pod is 1Gi.  No limit is specified"),
          new Bound(
              "{type: Container, max: {cpu: 1}}",
              "{limits: {cpu: 2}}",
              "maximum cpu usage per Container is 1, but limit is 2"),
          new Bound(
              "{type: Container, min: {cpu: 1}, max: {memory: 1Gi}}",
              "{requests: {cpu: 500m}, limits: {memory: 2Gi}}",
              "[minimum cpu usage per Container is 1, but request is 500m, maximum memory usage per"
                  + " Container is 1Gi, but limit is 2Gi]"),
          new Bound(
              "{type: Container, maxLimitRequestRatio: {cpu: 2}}",
              "{requests: {cpu: 1}, limits: {cpu: 3}}",
              "cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000"),
          new Bound(
              "{type: Container, maxLimitRequestRatio: {cpu: 2}}",
              "{requests: {cpu: 1}}",
              "cpu max limit to request ratio per Container is 2, but no limit is specified or"
                  + " limit is 0"));

  @ParameterizedTest
  @FieldSource("BOUNDS")
  void amountBeyondTheBoundsIsRefused(Bound c) {
    limit(c.limit());

    assertThat(refused(Reason.FORBIDDEN, () -> world.create(POD, asking(c.resources()))).message())
        .isEqualTo("pods \"p\" is forbidden: " + c.want());
  }

  private void runtimeClass(String rest) {
    world.create(
        RUNTIME_CLASS,
        "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: vm}, handler: vm, "
            + rest
            + "}");
  }

  @Test
  void aPodCarriesWhatItsRuntimeClassCostsAndWhereItRuns() {
    runtimeClass(
        "overhead: {podFixed: {cpu: 250m}}, scheduling: {nodeSelector: {vm: 'yes'}, tolerations:"
            + " [{key: vm, operator: Exists}]}");
    Tree spec = world.create(POD, pod("{runtimeClassName: vm}")).spec();

    assertThat(spec.tree("overhead")).isEqualTo(Tree.of("cpu", "250m"));
    assertThat(spec.text("nodeSelector", "vm")).isEqualTo("yes");
    assertThat(spec.trees("tolerations")).contains(World.yaml("{key: vm, operator: Exists}"));
  }

  record Refused(String spec, String want) {}

  static final List<Refused> REFUSED =
      List.of(
          new Refused("{runtimeClassName: odd}", "pod rejected: RuntimeClass \"odd\" not found"),
          new Refused(
              "{overhead: {cpu: 1}}",
              "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"),
          new Refused(
              "{runtimeClassName: vm, overhead: {cpu: 1}}",
              "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"),
          new Refused(
              "{runtimeClassName: vm, nodeSelector: {vm: 'no'}}",
              "conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm]"
                  + " = no"));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void aPodThatItsRuntimeClassContradictsIsRefused(Refused c) {
    runtimeClass("overhead: {podFixed: {cpu: 250m}}, scheduling: {nodeSelector: {vm: 'yes'}}");

    assertThat(refused(Reason.FORBIDDEN, () -> world.create(POD, pod(c.spec()))).message())
        .isEqualTo("pods \"p\" is forbidden: " + c.want());
  }
}
