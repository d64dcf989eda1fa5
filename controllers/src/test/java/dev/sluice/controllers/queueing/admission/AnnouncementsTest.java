package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.Worlds;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often a workload is told why it waits. */
class AnnouncementsTest {
  private static final ObjectKey QUEUE = Kinds.CLUSTER_QUEUE.key("cq");

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
}
