package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The conditions and events of preemptors and their victims. */
class PreemptionNoticesTest {
  private static final Duration SETTLE_TIME = Duration.ofSeconds(10);

  private static final String PRIORITIES =
      "; preemptor effective priority: 0 (base: 0, boost: 0); preemptee effective priority: 0"
          + " (base: 0, boost: 0)";

  private final QueueWorld world = new QueueWorld();

  /** The owner of a workload, which must stop before the quota is released. */
  private ApiObject owner() {
    return world.cluster.create(Kinds.POD, ApiObject.of(Kinds.POD, "other", "runs"));
  }

  /** The lender reclaims the quota that the victim has borrowed. */
  private VirtualDriver borrowed(DecisionLog log, ApiObject... ownersOfVictim) {
    world.cluster.create(
        Kinds.COHORT,
        Worlds.yaml(
            "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: left}, spec:"
                + " {parentName: root}}"));
    world.clusterQueue("lender", "left", 2).clusterQueue("borrower", "root", 0);
    ApiObject lender = world.cluster.require(Kinds.CLUSTER_QUEUE.key("lender"));
    world.cluster.update(
        Kinds.CLUSTER_QUEUE,
        lender.with(List.of("spec", "preemption", "reclaimWithinCohort"), "Any"));
    world.localQueue("default", "a", "lender").localQueue("other", "b", "borrower");
    world.workload("other", "victim", "b", 0, 2, ownersOfVictim);
    VirtualDriver driver = world.start(log, SETTLE_TIME);
    world.workload("default", "new", "a", 0, 2);
    return driver;
  }

  @Test
  void failedEvictionIsRetried() {
    var decided = new ArrayList<AdmissionDecision>();
    VirtualDriver driver = borrowed((at, decision) -> decided.add(decision), owner());
    world.cluster.losesStatusOf(key -> key.name().equals("victim"));
    Worlds.pass(driver, world.cluster, SETTLE_TIME);
    assertThat(world.workload("other", "victim").status().holds(WorkloadStatus.EVICTED)).isFalse();
    assertThat(decided).as("it is not tried all the time").hasSizeLessThan(20);

    world.cluster.losesStatusOf(key -> false);
    Worlds.pass(driver, world.cluster, SETTLE_TIME);

    WorkloadStatus victim = world.workload("other", "victim").status();
    assertThat(victim.holds(WorkloadStatus.EVICTED)).isTrue();
    assertThat(
            world.events("victim").stream()
                .filter(event -> event.contains("EvictedDueToPreempted")))
        .hasSize(1);
  }

  @Test
  void victimHasPreemptorAndPathsInItsCondition() {
    VirtualDriver driver = borrowed(DecisionLog.NONE, owner());
    Worlds.pass(driver, world.cluster, SETTLE_TIME);

    String uid = world.workload("default", "new").object().uid();
    String message =
        "Preempted to accommodate a workload (UID: "
            + uid
            + ", JobUID: UNKNOWN) due to reclamation within the cohort; preemptor path:"
            + " /root/left/lender; preemptee path: /root/borrower";
    WorkloadStatus victim = world.workload("other", "victim").status();
    assertThat(victim.reason(WorkloadStatus.EVICTED)).isEqualTo("Preempted");
    assertThat(victim.reason(WorkloadStatus.PREEMPTED)).isEqualTo("InCohortReclamation");
    assertThat(victim.message(WorkloadStatus.EVICTED)).isEqualTo(message);
    assertThat(victim.holds(WorkloadStatus.QUOTA_RESERVED)).as("until its pods are gone").isTrue();
    assertThat(world.events("victim"))
        .contains(
            "Normal EvictedDueToPreempted: " + message,
            "Normal Preempted: " + message + PRIORITIES);
    assertThat(world.events("new"))
        .contains(
            "Normal PreemptedWorkload: Preempted workload other/victim (UID: %s) in ClusterQueue borrower%s"
                .formatted(world.workload("other", "victim").object().uid(), PRIORITIES));
    assertThat(world.condition("default", "new", WorkloadStatus.QUOTA_RESERVED))
        .isEqualTo(
            "False Pending: couldn't assign flavors to pod set main: insufficient unused quota for"
                + " cpu in flavor plain, 2 more needed. Pending the preemption of 1 workload(s)");
  }

  @Test
  void victimWithoutAnOwnerIsReleasedByTheWriteThatEvictsIt() {
    VirtualDriver driver = borrowed(DecisionLog.NONE);
    Worlds.pass(driver, world.cluster, SETTLE_TIME);

    WorkloadStatus victim = world.workload("other", "victim").status();
    assertThat(victim.reason(WorkloadStatus.EVICTED)).isEqualTo("Preempted");
    assertThat(victim.holds(WorkloadStatus.REQUEUED)).isTrue();
    assertThat(victim.holds(WorkloadStatus.QUOTA_RESERVED)).isFalse();
    assertThat(victim.holds(WorkloadStatus.ADMITTED)).isFalse();
    assertThat(world.workload("default", "new").admitted()).isTrue();
    assertThat(world.events("victim")).anyMatch(event -> event.contains("EvictedDueToPreempted"));
  }
}
