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

/** How often a workload is told why it waits. */
class PendingNoticesTest {
  private static final ObjectKey QUEUE = Kinds.CLUSTER_QUEUE.key("cq");
  private static final ObjectKey WAITS = Kinds.WORKLOAD.key("default", "waits");

  private final QueueWorld world = new QueueWorld();

  private String told() {
    return world.told("default", "waits", WorkloadStatus.QUOTA_RESERVED);
  }

  /** Changes how much is missing, and so what there is to say. */
  private void give(int cpu) {
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
  void aWorkloadIsToldAfterASecondAndThenAfterFiveAndAlwaysTheLastWord() {
    world.clusterQueue("cq", "", 1).localQueue("default", "a", "cq");
    world.workload("default", "waits", "a", 0, 9);
    VirtualDriver driver = world.start(DecisionLog.NONE, Duration.ofMillis(900));
    assertThat(told()).as("before a second").isEmpty();
    Worlds.pass(driver, world.cluster, Duration.ofMillis(200));
    String first = told();
    assertThat(first).startsWith("False Pending: ");

    for (int cpu = 2; cpu <= 4; cpu++) {
      give(cpu);
      Worlds.pass(driver, world.cluster, Duration.ofSeconds(1));
      assertThat(told()).as("with %d cpus", cpu).isEqualTo(first);
    }
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(3));

    assertThat(told()).isNotEqualTo(first).contains("4");
    assertThat(world.events("waits")).as("one for each time it was told").hasSize(2);
  }

  /**
   * @param judged whether the queue itself says that it is active, which it does a little later
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWorkloadIsToldAnewWhenItsQueueGoesOn(boolean judged) {
    world.add(new WorkloadController(world.cluster, world.configuration()));
    if (judged) {
      world.add(new QueueStatusController(world.cluster, world.book, world.configuration()));
    }
    VirtualDriver driver = startWithOneThatWaits();
    String missing = told();
    assertThat(missing).contains("couldn't assign flavors");

    stop(QUEUE, "Hold");
    pass(driver);
    assertThat(told()).endsWith("ClusterQueue cq is inactive");
    stop(QUEUE, "None");
    pass(driver);

    assertThat(told()).isEqualTo(missing);
  }

  @Test
  void whoWaitsBehindAnEqualOneDoesNotGoOnSayingThatItsQueueIsInactive() {
    world.add(new WorkloadController(world.cluster, world.configuration()));
    VirtualDriver driver = startWithOneThatWaits();
    world.workload("default", "alike", "a", 0, 1);
    stop(QUEUE, "Hold");
    pass(driver);
    assertThat(world.told("default", "alike", WorkloadStatus.QUOTA_RESERVED))
        .endsWith("ClusterQueue cq is inactive");

    stop(QUEUE, "None");
    pass(driver);

    assertThat(world.told("default", "alike", WorkloadStatus.QUOTA_RESERVED))
        .isEqualTo("False Pending: Workload is pending evaluation in the scheduling queue");
  }

  @Test
  void aWorkloadIsToldAnewWhenItIsBackInLine() {
    world.add(new WorkloadController(world.cluster, world.configuration()));
    VirtualDriver driver = startWithOneThatWaits();
    String missing = told();

    stop(Kinds.LOCAL_QUEUE.key("default", "a"), "Hold");
    pass(driver);
    assertThat(told()).endsWith("LocalQueue a is inactive");
    stop(Kinds.LOCAL_QUEUE.key("default", "a"), "None");
    pass(driver);

    assertThat(told()).isEqualTo(missing);
  }

  @Test
  void whatOthersSaidInTheMeantimeIsNotTheLastWord() {
    VirtualDriver driver = startWithOneThatWaits();
    String missing = told();

    world.status(
        WAITS,
        (status, now) ->
            status.with(new Condition(WorkloadStatus.QUOTA_RESERVED, false, "Late", "Late"), now));
    pass(driver);

    assertThat(told()).isEqualTo(missing);
    assertThat(world.events("waits")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNewWorkloadWithTheNameOfAnotherIsToldToo(boolean atOnce) {
    VirtualDriver driver = startWithOneThatWaits();
    String missing = told();

    world.delete(WAITS);
    if (!atOnce) {
      pass(driver);
    }
    world.workload("default", "waits", "a", 0, 1);
    pass(driver);

    assertThat(told()).isEqualTo(missing);
  }

  private VirtualDriver startWithOneThatWaits() {
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
