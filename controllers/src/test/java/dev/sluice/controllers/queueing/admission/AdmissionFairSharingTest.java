package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.status.QueueStatusController;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.Quantity;
import dev.sluice.model.kueue.QueueStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Admission fair sharing in a StrictFIFO queue: the head is from the LocalQueue with the lower
 * usage, and blocks all others. Here a queue of five cpus has three in use, and a workload of
 * LocalQueue a that requests four blocks one of LocalQueue b that requests two.
 */
class AdmissionFairSharingTest {
  private static final ObjectKey B = Kinds.LOCAL_QUEUE.key("default", "b");

  private final QueueWorld world =
      new QueueWorld(
          ConfigurationFile.read(
                  """
                  apiVersion: config.kueue.x-k8s.io/v1beta2
                  kind: Configuration
                  admissionFairSharing: {usageHalfLifeTime: 1h, usageSamplingInterval: 5m}
                  """,
                  new TreeMap<>())
              .configuration());

  private VirtualDriver start(Quantity consumedByB) {
    world.add(new QueueStatusController(world.cluster, world.cache, world.configuration()));
    world.clusterQueue("cq", "", 5);
    world.spec(
        Kinds.CLUSTER_QUEUE.key("cq"),
        spec ->
            spec.with("queueingStrategy", "StrictFIFO")
                .with(
                    "admissionScope", Tree.of("admissionMode", "UsageBasedAdmissionFairSharing")));
    world.localQueue("default", "a", "cq").localQueue("default", "b", "cq");
    var consumed = new TreeMap<String, Quantity>();
    consumed.put("cpu", consumedByB);
    world.cluster.patchStatus(
        Kinds.LOCAL_QUEUE,
        world.cluster.require(B),
        new QueueStatus(Tree.EMPTY)
            .withConsumedResources(consumed, world.cluster.time().now())
            .tree());
    world.workload("default", "a0", "a", 0, 3);
    VirtualDriver driver = world.start(DecisionLog.NONE, Duration.ofSeconds(5));
    assertThat(isReserved("a0")).isTrue();
    world.workload("default", "a1", "a", 0, 4).workload("default", "b1", "b", 0, 2);
    pass(driver, Duration.ofSeconds(5));
    assertThat(isReserved("b1")).isFalse();
    return driver;
  }

  @Test
  void higherWeightMakesALocalQueueFirst() {
    VirtualDriver driver = start(Quantity.of(100));

    world.spec(B, spec -> spec.with("fairSharing", Tree.of("weight", "1000000")));
    pass(driver, Duration.ofSeconds(5));

    assertThat(isReserved("b1")).isTrue();
  }

  /**
   * At first a was charged 0.17 for its running workload; after a sample its usage is twice as
   * high.
   */
  @Test
  void usageOfOthersMakesALocalQueueFirst() {
    VirtualDriver driver = start(Quantity.ofMillis(250));

    pass(driver, Duration.ofMinutes(6));

    assertThat(isReserved("b1")).isTrue();
  }

  /** Usage is recorded for every LocalQueue, so it is known when its ClusterQueue counts it. */
  @Test
  void usageIsRecordedWithoutAnAdmissionScope() {
    world.add(new QueueStatusController(world.cluster, world.cache, world.configuration()));
    world.clusterQueue("cq", "", 5).localQueue("default", "b", "cq");
    world.workload("default", "b0", "b", 0, 3);

    VirtualDriver driver = world.start(DecisionLog.NONE, Duration.ofSeconds(5));
    assertThat(consumed()).isEmpty();
    pass(driver, Duration.ofMinutes(6));

    assertThat(consumed()).containsOnlyKeys("cpu");
  }

  private SortedMap<String, Quantity> consumed() {
    var status = new QueueStatus(world.cluster.require(B).status());
    assertThat(status.consumptionUpdated()).isPresent();
    return status.consumedResources();
  }

  private void pass(VirtualDriver driver, Duration time) {
    Worlds.pass(driver, world.cluster, time);
  }

  private boolean isReserved(String workload) {
    return world.workload("default", workload).reserved();
  }
}
