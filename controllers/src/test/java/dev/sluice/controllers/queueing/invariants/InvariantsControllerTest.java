package dev.sluice.controllers.queueing.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InvariantsControllerTest {
  private final Breaches world = new Breaches();
  private final List<String> breaches = new ArrayList<>();

  @Test
  void lastingBreachIsReportedOnce() {
    world.admitted("w1", 1);
    world.admitted("w2", 1);
    VirtualDriver driver = start();

    pass(driver, 15);
    assertThat(breaches).as("it may be about to be put right").isEmpty();
    pass(driver, 100);

    assertThat(breaches)
        .containsExactlyInAnyOrder(
            "Workloads default/w1 and default/w2 hold quota for the same job",
            "Job default/j has more than one workload: [default/w1, default/w2]");
  }

  @Test
  void correctedBreachIsNotReported() {
    world.admitted("w1", 1);
    ApiObject second = world.admitted("w2", 1);
    VirtualDriver driver = start();
    pass(driver, 15);

    world.cluster.delete(Kinds.WORKLOAD, second, Deletion.NOW);
    pass(driver, 100);

    assertThat(breaches).isEmpty();
  }

  @Test
  void idleClusterNeedsNoFurtherCheck() {
    world.admitted("w1", 1);
    VirtualDriver driver = start();
    pass(driver, 100);

    assertThat(world.cluster.time().next()).as("the next look").isEmpty();
  }

  private VirtualDriver start() {
    QueueCache cache = QueueCache.rebuilt(world.cluster, Configuration.DEFAULT);
    cache.read(queues -> queues);
    var controller =
        new InvariantsController(
            world.cluster,
            Configuration.DEFAULT,
            cache,
            new DecisionLog() {
              @Override
              public void decided(Instant at, AdmissionDecision decision) {}

              @Override
              public void broken(Instant at, String breach) {
                if (!breach.contains("in memory")) { // this cache follows no changes
                  breaches.add(breach);
                }
              }
            });
    return Worlds.driver(world.cluster, 1, List.of(controller));
  }

  private void pass(VirtualDriver driver, int seconds) {
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(seconds));
  }
}
