package dev.sluice.apiserver.registry.rules.pod;

import static dev.sluice.model.Kinds.POD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The life of a pod that waits in a queue behind a gate. */
class GatedPodTest {
  private final World world = new World();

  private ApiObject create() {
    Tree gated =
        World.yaml(
            """
            metadata: {finalizers: [example.com/managed]}
            spec: {schedulingGates: [{name: example.com/admission}, {name: example.com/topology}]}
            """);
    return world.create(POD, MergePatch.apply(Samples.pod("p"), gated));
  }

  private ApiObject patch(String change) {
    return world.merge(POD, "p", World.yaml(change));
  }

  @Test
  void aGatedPodSaysSo() {
    Tree condition = create().status().trees("conditions").getFirst();

    assertThat(condition.text("type")).isEqualTo("PodScheduled");
    assertThat(condition.text("status")).isEqualTo("False");
    assertThat(condition.text("reason")).isEqualTo("SchedulingGated");
  }

  @Test
  void theQueueSteersThePodAndOpensTheGatesInOneWrite() {
    create();

    ApiObject open =
        patch(
            """
            metadata: {labels: {example.com/podset: main}, annotations: {example.com/workload: w}}
            spec:
              schedulingGates: null
              nodeSelector: {zone: a}
              tolerations: [{key: spot, operator: Exists}]
              affinity:
                nodeAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                    nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]
            """);

    assertThat(open.spec().has("schedulingGates")).isFalse();
    assertThat(open.spec().texts("nodeSelector")).containsEntry("zone", "a");
    assertThat(open.label("example.com/podset")).isEqualTo("main");
  }

  @Test
  void conditionsCanBeAddedToTheStatusOfAGatedPod() {
    ApiObject pod = create();
    Tree status =
        new Condition("TerminationTarget", true, "Evicted", "its workload was evicted")
            .in(pod.status(), world.time.now());

    ApiObject updated = world.updateStatus(POD, pod.withStatus(status));

    assertThat(Condition.holds(updated.status(), "TerminationTarget")).isTrue();
    assertThat(updated.status().trees("conditions")).hasSize(2);
    assertThat(updated.generation()).isEqualTo(1);
  }

  @Test
  void aDeletedPodWaitsForItsFinalizer() {
    create();

    boolean gone = world.delete(POD, "p").gone();
    ApiObject held = world.get(POD, "p");
    ApiObject released = patch("{metadata: {finalizers: null}}");

    assertThat(gone).isFalse();
    assertThat(held.isDeleting()).isTrue();
    assertThat(released.finalizers()).isEqualTo(List.of());
    assertThat(world.find(POD, "p")).isEmpty();
  }
}
