package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The quota of elastic jobs, in a queue of five cpus. */
class SliceQuotaTest {
  private static final Duration SETTLE_TIME = Duration.ofSeconds(10);

  private final QueueWorld world = new QueueWorld();
  private VirtualDriver driver;

  @BeforeEach
  void aSliceOfFourRuns() {
    world.clusterQueue("cq", "", 5).localQueue("default", "lq", "cq");
    world.slice("first", 4, "");
    driver = world.start(DecisionLog.NONE, SETTLE_TIME);
    assertThat(reserved("first")).isTrue();
  }

  private boolean reserved(String name) {
    return world.workload("default", name).reserved();
  }

  private void pass() {
    Worlds.pass(driver, world.cluster, SETTLE_TIME);
  }

  @Test
  void scaledDownSliceReleasesQuotaAtOnce() {
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
  void scaledUpJobNeedsOnlyTheDifference() {
    world.slice("second", 5, "default/first");
    pass();

    assertThat(reserved("second")).isTrue();
  }

  @Test
  void differenceIsToTheQuotaStillInUse() {
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

  @Test
  void deletedSliceLeavesNoQuotaToItsSuccessor() {
    world.slice("second", 8, "default/first");
    pass();
    assertThat(reserved("second")).isFalse();

    world.delete(key("first"));
    pass();

    assertThat(reserved("second")).as("eight are more than there are").isFalse();
  }

  @Test
  void sliceCountsAgainWhenItsSuccessorIsDeleted() {
    world.slice("second", 5, "default/first");
    pass();
    assertThat(used(world.cache)).isEqualTo(5000);

    world.delete(key("second"));
    world.workload("default", "other", "lq", 0, 2);
    pass();

    assertThat(reserved("other")).isFalse();
    assertThat(used(world.cache)).isEqualTo(4000);
  }

  @Test
  void sliceCountsAgainWhenItsSuccessorLosesItsQuota() {
    world.slice("second", 5, "default/first");
    pass();

    world.status(
        key("second"),
        (status, now) -> WorkloadTransitions.release(status, "Inadmissible", "Go", now));
    world.spec(key("second"), spec -> spec.with("active", false));
    pass();

    assertThat(used(world.cache)).isEqualTo(4000);
  }

  @Test
  void sliceCountsAgainWhenItsSuccessorIsRefusedQuota() {
    world.slice("second", 5, "default/first");
    QueueCache cache = QueueCache.rebuilt(world.cluster, world.configuration());
    assertThat(cache.decide(world.cluster.time().now(), 9)).hasSize(1);
    assertThat(used(cache)).isEqualTo(5000);

    cache.assumptionEnded(key("second"));

    assertThat(used(cache)).isEqualTo(4000);
  }

  @Test
  void onlyOneSliceReplacesAnother() {
    world.slice("second", 5, "default/first");
    world.slice("rival", 5, "default/first");
    pass();

    assertThat(reserved("second")).isNotEqualTo(reserved("rival"));
    assertThat(used(world.cache)).isEqualTo(5000);
    String waits = reserved("second") ? "rival" : "second";
    assertThat(world.condition("default", waits, WorkloadStatus.QUOTA_RESERVED))
        .contains("insufficient unused quota for cpu in flavor plain, 5 more needed");
  }

  /** A LocalQueue was created again, for another ClusterQueue. */
  @Test
  void quotaInAnotherQueueDoesNotCount() {
    world.clusterQueue("small", "", 5);
    world.delete(Kinds.LOCAL_QUEUE.key("default", "lq"));
    world.localQueue("default", "lq", "small");
    world.slice("second", 8, "default/first");
    pass();

    assertThat(reserved("second")).isFalse();
    world.slice("third", 5, "default/first");
    pass();
    assertThat(reserved("third")).isTrue();
    assertThat(used(world.cache)).as("the job runs on the third").isZero();
  }

  private static ObjectKey key(String name) {
    return Kinds.WORKLOAD.key("default", name);
  }

  private static long used(QueueCache cache) {
    var cpu = new FlavorResource("plain", "cpu");
    return cache.read(queues -> queues.ledger().tree().queue("cq").orElseThrow().usage(cpu));
  }
}
