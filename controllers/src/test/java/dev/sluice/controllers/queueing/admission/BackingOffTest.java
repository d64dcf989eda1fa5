package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.controllers.queueing.lifecycle.WorkloadController;
import dev.sluice.controllers.queueing.status.QueueStatusController;
import dev.sluice.engine.admission.Explanation;
import dev.sluice.engine.admission.pending.QueueLength;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.QueueStatus;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A workload that backs off for a minute, in a queue with enough quota. */
class BackingOffTest {
  private static final ObjectKey W = Kinds.WORKLOAD.key("default", "w");
  private static final ObjectKey CLUSTER = Kinds.CLUSTER_QUEUE.key("cq");
  private static final ObjectKey LOCAL = Kinds.LOCAL_QUEUE.key("default", "a");

  private final QueueWorld world = new QueueWorld();
  private VirtualDriver driver;

  @BeforeEach
  void aWorkloadBacksOff() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.add(new WorkloadController(world.cluster, world.configuration()));
    world.add(new QueueStatusController(world.cluster, world.cache, world.configuration()));
    world.workload("default", "w", "a", 0, 1);
    driver = world.start(DecisionLog.NONE, Duration.ofSeconds(5));
    world.status(W, BackingOffTest::evict);
    pass(20);
  }

  private static WorkloadStatus evict(WorkloadStatus status, Instant now) {
    return WorkloadTransitions.evict(
        status.withRequeue(1, now.plusSeconds(60)), "PodsReadyTimeout", "Too late", "", now);
  }

  private void pass(int seconds) {
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(seconds));
  }

  @Test
  void backingOffWorkloadCountsAsInadmissible() {
    assertThat(world.workload("default", "w").reserved()).isFalse();
    for (ObjectKey queue : List.of(CLUSTER, LOCAL)) {
      var status = new QueueStatus(world.cluster.require(queue).status());
      assertThat(status.pending()).as("%s", queue).isEqualTo(1);
    }
    assertThat(world.cache.<QueueLength>read(queues -> queues.lengths().of("cq")))
        .isEqualTo(new QueueLength(1, 1));
  }

  @Test
  void backingOffWorkloadIsAdmittedAfterItsBackoff() {
    pass(30);
    assertThat(world.workload("default", "w").reserved()).isFalse();

    pass(20);

    assertThat(world.workload("default", "w").reserved()).isTrue();
    assertThat(world.cache.<QueueLength>read(queues -> queues.lengths().of("cq")))
        .isEqualTo(QueueLength.EMPTY);
  }

  @Test
  void backingOffWorkloadHasTheReasonOfItsEviction() {
    assertThat(world.condition("default", "w", WorkloadStatus.QUOTA_RESERVED)).endsWith("Too late");
    assertThat(
            world
                .cache
                .<Explanation>read(queues -> queues.explain("default/w").orElseThrow())
                .state())
        .isEqualTo(Explanation.State.BACKING_OFF);
  }

  @Test
  void backingOffWorkloadBlocksNoOther() {
    world.spec(CLUSTER, spec -> spec.with("queueingStrategy", "StrictFIFO"));
    world.workload("default", "later", "a", 0, 2);
    pass(5);

    assertThat(world.workload("default", "later").reserved()).isTrue();
  }
}
