package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.lifecycle.WorkloadController;
import dev.sluice.controllers.queueing.status.QueueStatusController;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The times at which the condition of a pending workload is written. */
class PendingNoticesTest {
  private static final ObjectKey QUEUE = Kinds.CLUSTER_QUEUE.key("cq");
  private static final ObjectKey PENDING = Kinds.WORKLOAD.key("default", "waits");

  private final QueueWorld world = new QueueWorld();

  private String condition() {
    return world.condition("default", "waits", WorkloadStatus.QUOTA_RESERVED);
  }

  /** Changes the missing amount, and so the message of the condition. */
  private void setQuota(int cpu) {
    Tree group =
        Worlds.yaml(
                """
                {coveredResources: [cpu],
                 flavors: [{name: plain, resources: [{name: cpu, nominalQuota: %d}]}]}
                """
                    .formatted(cpu))
            .tree();
    world.spec(QUEUE, spec -> spec.with("resourceGroups", List.of(group)));
  }

  @Test
  void conditionIsWrittenAfterASecondThenEveryFiveSecondsAndFinallyTheLatest() {
    world.clusterQueue("cq", "", 1).localQueue("default", "a", "cq");
    world.workload("default", "waits", "a", 0, 9);
    VirtualDriver driver = world.start(DecisionLog.NONE, Duration.ofMillis(900));
    assertThat(condition()).as("before a second").isEmpty();
    Worlds.pass(driver, world.cluster, Duration.ofMillis(200));
    String first = condition();
    assertThat(first).startsWith("False Pending: ");

    for (int cpu = 2; cpu <= 4; cpu++) {
      setQuota(cpu);
      Worlds.pass(driver, world.cluster, Duration.ofSeconds(1));
      assertThat(condition()).as("with %d cpus", cpu).isEqualTo(first);
    }
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(3));

    assertThat(condition()).isNotEqualTo(first).contains("4");
    assertThat(world.events("waits")).as("one for each write").hasSize(2);
  }

  /**
   * @param withStatus whether the queue has the condition Active, which is written a little later
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void conditionIsWrittenAgainWhenTheClusterQueueIsActiveAgain(boolean withStatus) {
    world.add(new WorkloadController(world.cluster, world.configuration()));
    if (withStatus) {
      world.add(new QueueStatusController(world.cluster, world.cache, world.configuration()));
    }
    VirtualDriver driver = startWithAPendingWorkload();
    String missing = condition();
    assertThat(missing).contains("couldn't assign flavors");

    stop(QUEUE, "Hold");
    pass(driver);
    assertThat(condition()).endsWith("ClusterQueue cq is inactive");
    stop(QUEUE, "None");
    pass(driver);

    assertThat(condition()).isEqualTo(missing);
  }

  @Test
  void equivalentWorkloadDoesNotKeepTheConditionOfAnInactiveQueue() {
    world.add(new WorkloadController(world.cluster, world.configuration()));
    VirtualDriver driver = startWithAPendingWorkload();
    world.workload("default", "alike", "a", 0, 1);
    stop(QUEUE, "Hold");
    pass(driver);
    assertThat(world.condition("default", "alike", WorkloadStatus.QUOTA_RESERVED))
        .endsWith("ClusterQueue cq is inactive");

    stop(QUEUE, "None");
    pass(driver);

    assertThat(world.condition("default", "alike", WorkloadStatus.QUOTA_RESERVED))
        .isEqualTo("False Pending: Workload is pending evaluation in the scheduling queue");
  }

  @Test
  void conditionIsWrittenAgainWhenTheLocalQueueIsActiveAgain() {
    world.add(new WorkloadController(world.cluster, world.configuration()));
    VirtualDriver driver = startWithAPendingWorkload();
    String missing = condition();

    stop(Kinds.LOCAL_QUEUE.key("default", "a"), "Hold");
    pass(driver);
    assertThat(condition()).endsWith("LocalQueue a is inactive");
    stop(Kinds.LOCAL_QUEUE.key("default", "a"), "None");
    pass(driver);

    assertThat(condition()).isEqualTo(missing);
  }

  @Test
  void conditionOfAnotherClientIsOverwritten() {
    VirtualDriver driver = startWithAPendingWorkload();
    String missing = condition();

    world.status(
        PENDING,
        (status, now) ->
            status.with(new Condition(WorkloadStatus.QUOTA_RESERVED, false, "Late", "Late"), now));
    pass(driver);

    assertThat(condition()).isEqualTo(missing);
    assertThat(world.events("waits")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void newWorkloadWithTheSameNameGetsItsCondition(boolean atOnce) {
    VirtualDriver driver = startWithAPendingWorkload();
    String missing = condition();

    world.delete(PENDING);
    if (!atOnce) {
      pass(driver);
    }
    world.workload("default", "waits", "a", 0, 1);
    pass(driver);

    assertThat(condition()).isEqualTo(missing);
  }

  private VirtualDriver startWithAPendingWorkload() {
    world.clusterQueue("cq", "", 1).localQueue("default", "a", "cq");
    world.workload("default", "runs", "a", 0, 1);
    VirtualDriver driver = world.start(DecisionLog.NONE, Duration.ofSeconds(1));
    world.workload("default", "waits", "a", 0, 1);
    pass(driver);
    return driver;
  }

  private void stop(ObjectKey queue, String policy) {
    world.spec(queue, spec -> spec.with("stopPolicy", policy));
  }

  private void pass(VirtualDriver driver) {
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(10));
  }
}
