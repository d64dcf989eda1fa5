package dev.sluice.apiserver.registry.admission;

import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static dev.sluice.apiserver.registry.World.yaml;
import static dev.sluice.model.Kinds.LIMIT_RANGE;
import static dev.sluice.model.Kinds.POD;
import static dev.sluice.model.Kinds.PRIORITY_CLASS;
import static dev.sluice.model.Kinds.RUNTIME_CLASS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.apiserver.registry.World.Bad;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Classes of priorities, what pods get from them, and the other kinds that only queueing reads. */
class PriorityTest {
  private final World world = new World();

  private ApiObject priorityClass(String name, long value, boolean globalDefault) {
    return world.create(
        PRIORITY_CLASS,
        yaml(
            "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %s}, value:"
                    .formatted(name)
                + " %d, globalDefault: %s}".formatted(value, globalDefault)));
  }

  private Tree pod(String spec) {
    return MergePatch.apply(Samples.pod("p"), Tree.of("spec", yaml(spec)));
  }

  @Test
  void everyClusterHasTheClassesOfTheSystem() {
    assertThat(world.get(PRIORITY_CLASS, "system-node-critical").tree().whole("value"))
        .hasValue(2_000_001_000);
    assertThat(world.get(PRIORITY_CLASS, "system-cluster-critical").tree().whole("value"))
        .hasValue(2_000_000_000);
  }

  @Test
  void aPodGetsThePriorityOfItsClass() {
    priorityClass("high", 1000, false);

    Tree spec = world.create(POD, pod("{priorityClassName: high}")).spec();

    assertThat(spec.whole("priority")).hasValue(1000);
    assertThat(spec.text("preemptionPolicy")).isEqualTo("PreemptLowerPriority");
  }

  @Test
  void aPodWithoutAClassGetsTheDefaultOneOrZero() {
    Tree before = world.create(POD, Samples.pod("a")).spec();
    priorityClass("normal", 10, true);
    Tree after = world.create(POD, Samples.pod("b")).spec();

    assertThat(before.whole("priority")).hasValue(0);
    assertThat(before.has("priorityClassName")).isFalse();
    assertThat(after.whole("priority")).hasValue(10);
    assertThat(after.text("priorityClassName")).isEqualTo("normal");
  }

  @Test
  void whatThePodSaysItselfMustBeTheSame() {
    priorityClass("high", 1000, false);

    ApiFailure unknown =
        refused(Reason.FORBIDDEN, () -> world.create(POD, pod("{priorityClassName: none}")));
    ApiFailure other =
        refused(
            Reason.FORBIDDEN,
            () -> world.create(POD, pod("{priorityClassName: high, priority: 5}")));
    ApiObject same = world.create(POD, pod("{priorityClassName: high, priority: 1000}"));

    assertThat(unknown.message())
        .isEqualTo("pods \"p\" is forbidden: no PriorityClass with name none was found");
    assertThat(other.message()).contains("spec.priority (5)");
    assertThat(same.spec().whole("priority")).hasValue(1000);
  }

  @Test
  void aReplacementMayLeaveOutWhatTheServerComputed() {
    ApiObject pod = world.create(POD, Samples.pod("p"));

    ApiObject updated =
        world.update(POD, pod.withLabel("a", "b").without(List.of("spec", "priority")));

    assertThat(updated.spec().whole("priority")).hasValue(0);
  }

  @Test
  void thereIsOneDefault() {
    priorityClass("normal", 10, true);
    ApiObject other = priorityClass("other", 20, false);

    refused(Reason.FORBIDDEN, () -> priorityClass("more", 30, true));
    refused(
        Reason.FORBIDDEN,
        () -> world.update(PRIORITY_CLASS, other.with(List.of("globalDefault"), true)));
    world.update(PRIORITY_CLASS, world.get(PRIORITY_CLASS, "normal").withLabel("still", "default"));
  }

  @Test
  void theValueOfAClassStays() {
    ApiObject high = priorityClass("high", 1000, false);

    ApiFailure failure =
        refused(Reason.INVALID, () -> world.update(PRIORITY_CLASS, high.with(List.of("value"), 1)));

    assertThat(fields(failure)).containsExactly("value");
  }

  private static Bad limits(String limits, String field) {
    return new Bad(
        LIMIT_RANGE,
        "{apiVersion: v1, kind: LimitRange, metadata: {name: x}, spec: {limits: [" + limits + "]}}",
        field);
  }

  private static Bad priority(String name, String rest, String field) {
    return new Bad(
        PRIORITY_CLASS,
        "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %s}, %s}"
            .formatted(name, rest),
        field);
  }

  static final List<Bad> BAD =
      List.of(
          priority("system-mine", "value: 1", "metadata.name"),
          priority("x", "value: 1000000001", "value"),
          priority("x", "value: 1, preemptionPolicy: Sometimes", "preemptionPolicy"),
          limits("{max: {cpu: 1}}", "spec.limits[0].type"),
          limits("{type: Pod}, {type: Pod}", "spec.limits[1].type"),
          limits("{type: Pod, default: {cpu: 1}}", "spec.limits[0].default"),
          limits("{type: Container, max: {cpu: abc}}", "spec.limits[0].max[cpu]"),
          limits("{type: Pod, min: {cpu: 2}, max: {cpu: 1}}", "spec.limits[0].min[cpu]"),
          new Bad(
              RUNTIME_CLASS,
              "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: x}, handler: A_b}",
              "handler"),
          new Bad(
              RUNTIME_CLASS,
              "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: x}, handler: a,"
                  + " overhead: {podFixed: {cpu: -1}}}",
              "overhead.podFixed[cpu]"));

  @ParameterizedTest
  @FieldSource("BAD")
  void refuses(Bad c) {
    world.assertRefused(c);
  }

  @Test
  void limitsForContainersFillEachOther() {
    ApiObject created =
        world.create(
            LIMIT_RANGE,
            "{apiVersion: v1, kind: LimitRange, metadata: {name: x}, spec: {limits: [{type:"
                + " Container, max: {cpu: 2000m}, min: {memory: 1Gi}}]}}");

    Tree limit = created.spec().trees("limits").getFirst();
    assertThat(limit.tree("default")).isEqualTo(Tree.of("cpu", "2"));
    assertThat(limit.tree("defaultRequest")).isEqualTo(Tree.of("cpu", "2", "memory", "1Gi"));
  }
}
