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

/** Of which generation of a workload its conditions speak. */
class ObservedGenerationTest {
  private static final Duration MOMENT = Duration.ofSeconds(10);
  private static final ObjectKey RUNS = Kinds.WORKLOAD.key("default", "runs");
  private static final ObjectKey WAITS = Kinds.WORKLOAD.key("default", "waits");

  private final QueueWorld world = new QueueWorld();

  private long observed(ObjectKey workload, String condition) {
    return Condition.find(world.cluster.require(workload).status(), condition)
        .orElseThrow()
        .whole("observedGeneration")
        .orElse(0);
  }

  @Test
  void aConditionTellsOfTheGenerationThatItWasSaidOf() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.workload("default", "runs", "a", 0, 2).workload("default", "waits", "a", 0, 2);
    world.add(new WorkloadController(world.cluster, world.configuration()));
    VirtualDriver driver = world.start(DecisionLog.NONE, MOMENT);
    assertThat(observed(RUNS, WorkloadStatus.QUOTA_RESERVED)).isEqualTo(1);
    assertThat(observed(RUNS, WorkloadStatus.ADMITTED)).isEqualTo(1);
    assertThat(observed(WAITS, WorkloadStatus.QUOTA_RESERVED)).isEqualTo(1);

    world.spec(RUNS, spec -> spec.with("priority", 5));
    String unchanged = world.cluster.require(RUNS).resourceVersion();
    Worlds.pass(driver, world.cluster, MOMENT);
    assertThat(world.cluster.require(RUNS).resourceVersion())
        .as("nothing is written for the number alone")
        .isEqualTo(unchanged);

    world.spec(RUNS, spec -> spec.with("active", false));
    Worlds.pass(driver, world.cluster, MOMENT);
    assertThat(observed(RUNS, WorkloadStatus.EVICTED)).isEqualTo(3);
    assertThat(observed(RUNS, WorkloadStatus.QUOTA_RESERVED)).isEqualTo(3);
  }
}
