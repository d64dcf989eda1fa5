package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.Worlds;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.VirtualDriver;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How much quota jobs hold that grow and shrink while they run: a queue of five cpus. */
class SliceQuotaTest {
  private static final Duration MOMENT = Duration.ofSeconds(10);

  private final QueueWorld world = new QueueWorld();
  private VirtualDriver driver;

  @BeforeEach
  void aSliceOfFourRuns() {
    world.clusterQueue("cq", "", 5).localQueue("default", "lq", "cq");
    world.slice("first", 4, "");
    driver = world.start(DecisionLog.NONE, MOMENT);
    assertThat(reserved("first")).isTrue();
  }

  private boolean reserved(String name) {
    return world.workload("default", name).reserved();
  }

  private void pass() {
    Worlds.pass(driver, world.cluster, MOMENT);
  }

  @Test
  void whatShrinksGivesBackAtOnce() {
    world.workload("default", "waits", "lq", 0, 2);
    pass();
    assertThat(reserved("waits")).isFalse();

    Workload first = world.workload("default", "first");
    PodSet smaller = first.podSets().getFirst().withCount(3);
    world.cluster.update(Kinds.WORKLOAD, first.withPodSets(List.of(smaller)).object());
    pass();

    assertThat(reserved("waits")).isTrue();
  }

  @Test
  void whatGrowsNeedsOnlyTheDifference() {
    world.slice("second", 5, "default/first");
    pass();

    assertThat(reserved("second")).isTrue();
  }

  @Test
  void theDifferenceIsToWhatIsStillHeld() {
    world.slice("second", 6, "default/first");
    pass();
    assertThat(reserved("second")).isFalse();

    Workload first = world.workload("default", "first");
    var gone = new TreeMap<String, Integer>();
    gone.put("main", 1);
    world.cluster.patchStatus(
        Kinds.WORKLOAD, first.object(), first.status().withReclaimablePods(gone).tree());
    pass();

    assertThat(reserved("second")).as("six would be more than there are").isFalse();
  }
}
