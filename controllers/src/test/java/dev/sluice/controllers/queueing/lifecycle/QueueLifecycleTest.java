package dev.sluice.controllers.queueing.lifecycle;

import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.CLUSTER_QUEUE;
import static dev.sluice.testkit.Worlds.driver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload.PriorityClassRef;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deleted objects that stay while they are in use, and priorities that follow their classes. */
class QueueLifecycleTest {
  private static final ObjectKey SPOT = Kinds.RESOURCE_FLAVOR.key("spot");
  private static final ObjectKey CHECK = Kinds.ADMISSION_CHECK.key("a");
  private static final ObjectKey CLASS = Kinds.WORKLOAD_PRIORITY_CLASS.key("high");

  private final LifecycleWorld life = new LifecycleWorld();
  private VirtualDriver driver = newDriver();

  private VirtualDriver newDriver() {
    return driver(
        life.cluster,
        1,
        List.of(
            InUseController.ofFlavors(life.cluster),
            InUseController.ofChecks(life.cluster),
            InUseController.ofTopologies(life.cluster),
            InUseController.ofClusterQueues(life.cluster),
            new PriorityClassController(life.cluster)));
  }

  private void restart() {
    driver.close();
    driver = newDriver();
    driver.settle();
  }

  @BeforeEach
  void flavorInUse() {
    life.cluster.create(
        Kinds.RESOURCE_FLAVOR,
        ApiObject.of(Kinds.RESOURCE_FLAVOR, "", "spot").withFinalizer(KueueNames.IN_USE));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  @Test
  void flavorStaysWhileAQueueRefersToIt() {
    life.delete(SPOT);
    driver.settle();
    restart();
    assertThat(life.cluster.get(SPOT)).isPresent();

    life.change(CLUSTER_QUEUE, spec -> spec.without("resourceGroups"));
    driver.settle();
    assertThat(life.cluster.get(SPOT)).isEmpty();
  }

  @Test
  void existingFlavorKeepsItsFinalizer() {
    life.change(CLUSTER_QUEUE, spec -> spec.without("resourceGroups"));
    driver.settle();

    assertThat(life.cluster.require(SPOT).hasFinalizer(KueueNames.IN_USE)).isTrue();
  }

  @Test
  void checkGetsAFinalizerAndStaysWhileAQueueRefersToIt() {
    life.cluster.create(Kinds.ADMISSION_CHECK, ApiObject.of(Kinds.ADMISSION_CHECK, "", "a"));
    life.checks(List.of(Tree.of("name", "a")));
    driver.settle();
    assertThat(life.cluster.require(CHECK).hasFinalizer(KueueNames.IN_USE)).isTrue();

    life.delete(CHECK);
    driver.settle();
    assertThat(life.cluster.get(CHECK)).isPresent();

    life.delete(CLUSTER_QUEUE);
    driver.settle();
    assertThat(life.cluster.get(CHECK)).isEmpty();
  }

  @Test
  void topologyGetsAFinalizerAndStaysWhileAFlavorRefersToIt() {
    ObjectKey hall = Kinds.TOPOLOGY.key("hall");
    life.cluster.create(Kinds.TOPOLOGY, ApiObject.of(Kinds.TOPOLOGY, "", "hall"));
    life.change(SPOT, spec -> spec.with("topologyName", "hall"));
    driver.settle();
    assertThat(life.cluster.require(hall).hasFinalizer(KueueNames.IN_USE)).isTrue();

    life.delete(hall);
    driver.settle();
    restart();
    assertThat(life.cluster.get(hall)).isPresent();

    life.change(SPOT, spec -> spec.without("topologyName"));
    driver.settle();
    assertThat(life.cluster.get(hall)).isEmpty();
  }

  /** As with objects that were created before the webhooks. */
  @Test
  void objectThatBypassedTheWebhooksGetsAFinalizer() {
    for (ResourceKind kind : List.of(Kinds.RESOURCE_FLAVOR, Kinds.CLUSTER_QUEUE)) {
      life.cluster.create(kind, ApiObject.of(kind, "", "late"));
      driver.settle();

      assertThat(life.cluster.require(kind.key("late")).hasFinalizer(KueueNames.IN_USE)).isTrue();
    }
  }

  @Test
  void clusterQueueStaysWhileQuotaIsReserved() {
    life.status(LifecycleWorld::admitted).delete(CLUSTER_QUEUE);
    driver.settle();
    restart();
    assertThat(life.cluster.get(CLUSTER_QUEUE)).isPresent();

    life.status(
        status -> WorkloadTransitions.finish(status, "Succeeded", "", LifecycleWorld.START));
    driver.settle();
    assertThat(life.cluster.get(CLUSTER_QUEUE)).isEmpty();
  }

  @Test
  void clusterQueueWithPendingWorkloadsIsDeletedAtOnce() {
    life.delete(CLUSTER_QUEUE);
    driver.settle();

    assertThat(life.cluster.get(CLUSTER_QUEUE)).isEmpty();
  }

  private void priorityClass(int value) {
    ApiObject high = ApiObject.of(Kinds.WORKLOAD_PRIORITY_CLASS, "", "high");
    life.cluster.create(Kinds.WORKLOAD_PRIORITY_CLASS, high.with(List.of("value"), value));
    driver.settle();
  }

  @Test
  void workloadFollowsTheValueOfItsClass() {
    life.spec(wl -> wl.withPriority(PriorityClassRef.workloadPriorityClass("high"), 1));
    priorityClass(5);
    assertThat(life.workload().priority()).isEqualTo(5);

    life.cluster.update(CLASS.kind(), life.cluster.require(CLASS).with(List.of("value"), 7));
    driver.settle();
    assertThat(life.workload().priority()).isEqualTo(7);

    life.delete(CLASS);
    driver.settle();
    assertThat(life.workload().priority()).isEqualTo(7);

    priorityClass(2);
    assertThat(life.workload().priority()).isEqualTo(2);
  }

  @Test
  void workloadWithAPodPriorityClassIsLeftAlone() {
    life.spec(wl -> wl.withPriority(PriorityClassRef.podPriorityClass("high"), 1));
    priorityClass(5);

    assertThat(life.workload().priority()).isEqualTo(1);
  }

  @Test
  void changedPriorityStaysUntilTheClassChanges() {
    life.spec(wl -> wl.withPriority(PriorityClassRef.workloadPriorityClass("high"), 1));
    priorityClass(5);
    life.spec(wl -> wl.withPriority(9));
    driver.settle();

    assertThat(life.workload().priority()).isEqualTo(9);
  }
}
