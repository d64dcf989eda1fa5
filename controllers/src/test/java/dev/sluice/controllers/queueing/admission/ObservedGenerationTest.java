package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.lifecycle.WorkloadController;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The observed generation of the conditions of a workload. */
class ObservedGenerationTest {
  private static final Duration SETTLE_TIME = Duration.ofSeconds(10);
  private static final ObjectKey RUNNING = Kinds.WORKLOAD.key("default", "runs");
  private static final ObjectKey PENDING = Kinds.WORKLOAD.key("default", "waits");

  private final QueueWorld world = new QueueWorld();

  private long observed(ObjectKey workload, String condition) {
    return Condition.find(world.cluster.require(workload).status(), condition)
        .orElseThrow()
        .whole("observedGeneration")
        .orElse(0);
  }

  @Test
  void conditionHasTheGenerationOfItsWrite() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.workload("default", "runs", "a", 0, 2).workload("default", "waits", "a", 0, 2);
    world.add(new WorkloadController(world.cluster, world.configuration()));
    VirtualDriver driver = world.start(DecisionLog.NONE, SETTLE_TIME);
    assertThat(observed(RUNNING, WorkloadStatus.QUOTA_RESERVED)).isEqualTo(1);
    assertThat(observed(RUNNING, WorkloadStatus.ADMITTED)).isEqualTo(1);
    assertThat(observed(PENDING, WorkloadStatus.QUOTA_RESERVED)).isEqualTo(1);

    world.spec(RUNNING, spec -> spec.with("priority", 5));
    String unchanged = world.cluster.require(RUNNING).resourceVersion();
    Worlds.pass(driver, world.cluster, SETTLE_TIME);
    assertThat(world.cluster.require(RUNNING).resourceVersion())
        .as("nothing is written for the number alone")
        .isEqualTo(unchanged);

    world.spec(RUNNING, spec -> spec.with("active", false));
    Worlds.pass(driver, world.cluster, SETTLE_TIME);
    assertThat(observed(RUNNING, WorkloadStatus.EVICTED)).isEqualTo(3);
    assertThat(observed(RUNNING, WorkloadStatus.QUOTA_RESERVED)).isEqualTo(3);
  }
}
