package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.lifecycle.WorkloadController;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The order of workloads when a drained queue is active again. */
class DrainedQueueTest {
  private static final Duration SETTLE_TIME = Duration.ofSeconds(5);

  static final List<ObjectKey> QUEUES =
      List.of(Kinds.CLUSTER_QUEUE.key("cq"), Kinds.LOCAL_QUEUE.key("default", "a"));

  private final QueueWorld world = new QueueWorld();

  @ParameterizedTest
  @FieldSource("QUEUES")
  void evictedWorkloadsAreAdmittedBeforeLaterOnes(ObjectKey queue) {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.add(new WorkloadController(world.cluster, world.configuration()));
    VirtualDriver driver = world.start(DecisionLog.NONE, SETTLE_TIME);
    for (String name : List.of("w1", "w2", "w3", "w4")) {
      world.workload("default", name, "a", 0, 1);
      Worlds.pass(driver, world.cluster, SETTLE_TIME);
    }
    assertThat(admitted()).containsExactly("w1", "w2");

    world.spec(queue, spec -> spec.with("stopPolicy", "HoldAndDrain"));
    Worlds.pass(driver, world.cluster, SETTLE_TIME);
    assertThat(admitted()).isEmpty();
    world.spec(queue, spec -> spec.with("stopPolicy", "None"));
    Worlds.pass(driver, world.cluster, SETTLE_TIME);

    assertThat(admitted()).containsExactly("w1", "w2");
    assertThat(world.cache.<Integer>read(queues -> queues.lengths().of("cq").pending()))
        .isEqualTo(2);
  }

  private Stream<String> admitted() {
    return Stream.of("w1", "w2", "w3", "w4")
        .filter(name -> world.workload("default", name).reserved());
  }
}
