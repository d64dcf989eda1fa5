package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The conditions and events that follow from admission decisions. */
class AdmissionControllerTest {
  private static final Duration SETTLE_TIME = Duration.ofSeconds(10);

  private QueueWorld world = new QueueWorld();

  @Test
  void workloadWithoutChecksIsAdmittedWithItsQuota() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.workload("default", "w", "a", 0, 2);

    world.start(DecisionLog.NONE, SETTLE_TIME);

    assertThat(world.condition("default", "w", WorkloadStatus.QUOTA_RESERVED))
        .isEqualTo("True QuotaReserved: Quota reserved in ClusterQueue cq");
    assertThat(world.condition("default", "w", WorkloadStatus.ADMITTED))
        .isEqualTo("True Admitted: The workload is admitted");
    assertThat(world.events("w"))
        .containsExactlyInAnyOrder(
            "Normal QuotaReserved: Quota reserved in ClusterQueue cq, wait time since queued was"
                + " 0s",
            "Normal Admitted: Admitted by ClusterQueue cq, wait time since reservation was 0s");
    assertThat(status("w").tree().has("resourceRequests")).isFalse();
  }

  /** The field stays with the manager that owns it, as after a server-side apply without it. */
  @Test
  void quotaIsFreeOnceItsConditionIsFalse() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.workload("default", "w", "a", 0, 2);
    VirtualDriver driver = world.start(DecisionLog.NONE, SETTLE_TIME);
    world.workload("default", "next", "a", 1, 2);

    ObjectKey cleared = Kinds.WORKLOAD.key("default", "w");
    world.status(
        cleared,
        (status, now) ->
            status.with(
                new Condition(WorkloadStatus.QUOTA_RESERVED, false, "Pending", "Stopped"), now));
    Worlds.pass(driver, world.cluster, SETTLE_TIME);

    assertThat(status("w").tree().has("admission")).isTrue();
    assertThat(status("w").holds(WorkloadStatus.QUOTA_RESERVED)).isFalse();
    assertThat(status("next").holds(WorkloadStatus.QUOTA_RESERVED)).isTrue();
  }

  /** It is about to be finished as an orphan, so a victim would be preempted in vain. */
  @Test
  void workloadOfAMissingJobPreemptsNothing() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.spec(
        Kinds.CLUSTER_QUEUE.key("cq"),
        spec -> spec.with("preemption", Tree.of("withinClusterQueue", "LowerPriority")));
    world.workload("default", "low", "a", 0, 2);
    VirtualDriver driver = world.start(DecisionLog.NONE, SETTLE_TIME);

    world.cluster.create(
        Kinds.WORKLOAD,
        Workload.of("default", "orphan", "a", world.workload("default", "low").podSets())
            .withPriority(9)
            .object()
            .withLabel(KueueNames.JOB_UID, "no-such-job"));
    Worlds.pass(driver, world.cluster, SETTLE_TIME);

    assertThat(status("low").holds(WorkloadStatus.QUOTA_RESERVED)).isTrue();
    assertThat(status("orphan").holds(WorkloadStatus.QUOTA_RESERVED)).isFalse();
  }

  /** A queue with a tainted flavor before the one that fits, by borrowing. */
  @Test
  void eventNamesTheConsideredFlavors() {
    world.cluster.create(
        Kinds.RESOURCE_FLAVOR,
        ApiObject.of(Kinds.RESOURCE_FLAVOR, "", "spot")
            .withSpec(
                Worlds.yaml("{nodeTaints: [{key: spot, value: 'yes', effect: NoSchedule}]}")
                    .tree()));
    world.clusterQueue("lender", "all", 2);
    queue(
        "choosy",
        "cohortName: all, namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],"
            + " flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 9}]}, {name: plain,"
            + " resources: [{name: cpu, nominalQuota: 1}]}]}]");
    world.workload("default", "w", "choosy", 0, 2);

    world.start(DecisionLog.NONE, SETTLE_TIME);

    assertThat(world.events("w"))
        .contains(
            "Normal QuotaReserved: Quota reserved in ClusterQueue choosy, wait time since queued"
                + " was 0s; Flavors considered: main: plain(Fit;borrow=1), spot(NoFit;untolerated"
                + " taint {spot yes NoSchedule} in flavor spot)");
    assertThat(world.condition("default", "w", WorkloadStatus.QUOTA_RESERVED))
        .isEqualTo("True QuotaReserved: Quota reserved in ClusterQueue choosy");
  }

  /** The reserved workload is admitted as soon as its check is ready; a later one never is. */
  @Test
  void unselectedNamespaceKeepsItsQuotaAndGetsNoMore() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    require("cq", "check");
    world.workload("default", "holds", "a", 0, 1);
    VirtualDriver driver = world.start(DecisionLog.NONE, SETTLE_TIME);

    world.spec(
        Kinds.CLUSTER_QUEUE.key("cq"),
        spec -> spec.with("namespaceSelector", Tree.of("matchLabels", Tree.of("team", "a"))));
    world.workload("default", "late", "a", 0, 1);
    Worlds.pass(driver, world.cluster, SETTLE_TIME);

    assertThat(status("holds").holds(WorkloadStatus.QUOTA_RESERVED)).isTrue();
    assertThat(world.condition("default", "late", WorkloadStatus.QUOTA_RESERVED))
        .isEqualTo("False Pending: workload namespace doesn't match ClusterQueue selector");
  }

  @Test
  void workloadWithPendingChecksHasQuotaReserved() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    require("cq", "check");
    world.workload("default", "w", "a", 0, 2);

    world.start(DecisionLog.NONE, SETTLE_TIME);

    assertThat(status("w").holds(WorkloadStatus.QUOTA_RESERVED)).isTrue();
    assertThat(world.condition("default", "w", WorkloadStatus.ADMITTED)).isEmpty();
    assertThat(world.events("w")).hasSize(1);
  }

  @Test
  void workloadWithAFailedCheckGetsNoQuota() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    require("cq", "check");
    world.workload("default", "w", "a", 0, 2);
    CheckState rejected =
        CheckState.pending("check", world.cluster.time().now())
            .in(CheckState.REJECTED, "no", world.cluster.time().now());
    world.cluster.patchStatus(
        Kinds.WORKLOAD,
        world.workload("default", "w").object(),
        status("w").withAdmissionChecks(List.of(rejected)).tree());

    world.start(DecisionLog.NONE, SETTLE_TIME);

    assertThat(status("w").holds(WorkloadStatus.QUOTA_RESERVED)).isFalse();
  }

  private void require(String queue, String check) {
    ApiObject made =
        world.cluster.create(Kinds.ADMISSION_CHECK, ApiObject.of(Kinds.ADMISSION_CHECK, "", check));
    world.cluster.patchStatus(
        Kinds.ADMISSION_CHECK,
        made,
        new Condition("Active", true, "Ready", "").in(made.status(), world.cluster.time().now()));
    ApiObject found = world.cluster.require(Kinds.CLUSTER_QUEUE.key(queue));
    world.cluster.update(
        Kinds.CLUSTER_QUEUE,
        found.with(
            List.of("spec", "admissionChecksStrategy"),
            Worlds.yaml("{admissionChecks: [{name: " + check + "}]}").tree()));
  }

  @Test
  void requiredTopologyIsInadmissibleAndOthersAreAdmitted() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.workload("default", "near", "a", 5, 1).workload("default", "w", "a", 0, 1);
    ApiObject near = world.workload("default", "near").object();
    Tree podSet = near.spec().trees("podSets").getFirst();
    world.cluster.update(
        Kinds.WORKLOAD,
        near.with(
            List.of("spec", "podSets"),
            List.of(podSet.with("topologyRequest", Tree.of("required", "rack")))));

    world.start(DecisionLog.NONE, SETTLE_TIME);

    assertThat(world.condition("default", "near", WorkloadStatus.QUOTA_RESERVED))
        .startsWith("False Pending: pod set main requires a topology");
    assertThat(status("w").holds(WorkloadStatus.ADMITTED)).isTrue();
  }

  @Test
  void claimedDevicesAreInadmissibleAndOthersAreAdmitted() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.workload("default", "claims", "a", 5, 1).workload("default", "w", "a", 0, 1);
    ApiObject claims = world.workload("default", "claims").object();
    Tree podSet = claims.spec().trees("podSets").getFirst();
    List<String> path = List.of("template", "spec", "resourceClaims");
    world.cluster.update(
        Kinds.WORKLOAD,
        claims.with(
            List.of("spec", "podSets"),
            List.of(podSet.with(path, List.of(Tree.of("name", "gpu"))))));

    world.start(DecisionLog.NONE, SETTLE_TIME);

    assertThat(world.condition("default", "claims", WorkloadStatus.QUOTA_RESERVED))
        .startsWith("False Pending: pod set main claims devices (gpu), and dynamic resource");
    assertThat(status("w").holds(WorkloadStatus.ADMITTED)).isTrue();
  }

  record Case(String name, String queue, int cpu, String plain, String fine) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> PENDING =
      List.of(
          new Case("quota is in use", "a", 2, "Pending", "WaitingForQuota"),
          new Case("more than there is", "a", 9, "Pending", "ExceedsMaxQuota"),
          new Case("no such resource", "bare", 1, "Pending", "NoMatchingFlavor"),
          new Case("another namespace's queue", "closed", 1, "Pending", "Misconfigured"));

  @ParameterizedTest
  @FieldSource("PENDING")
  void pendingWorkloadHasACoarseOrDetailedReason(Case c) {
    for (boolean fine : List.of(false, true)) {
      world = new QueueWorld(configuration(fine));
      world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
      queue("bare", "namespaceSelector: {}");
      queue("closed", "namespaceSelector: {matchLabels: {team: other}}");
      world.workload("default", "runs", "a", 5, 1);
      world.workload("default", "w", c.queue(), 0, c.cpu());

      world.start(DecisionLog.NONE, SETTLE_TIME);

      String reason = fine ? c.fine() : c.plain();
      String message = status("w").message(WorkloadStatus.QUOTA_RESERVED);
      assertThat(world.condition("default", "w", WorkloadStatus.QUOTA_RESERVED))
          .startsWith("False " + reason + ": ");
      assertThat(world.events("w")).containsExactly("Warning " + reason + ": " + message);
      assertThat(status("w").tree().trees("resourceRequests").getFirst().text("resources", "cpu"))
          .isEqualTo(String.valueOf(c.cpu()));
    }
  }

  @Test
  void failedWriteOfAConditionIsRetried() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.workload("default", "w", "a", 0, 9);
    world.cluster.losesStatusOf(key -> key.name().equals("w"));
    VirtualDriver driver = world.start(DecisionLog.NONE, SETTLE_TIME);
    assertThat(world.condition("default", "w", WorkloadStatus.QUOTA_RESERVED)).isEmpty();

    world.cluster.losesStatusOf(key -> false);
    Worlds.pass(driver, world.cluster, SETTLE_TIME);

    assertThat(world.condition("default", "w", WorkloadStatus.QUOTA_RESERVED))
        .startsWith("False Pending: ");
    assertThat(world.events("w")).hasSize(1);
  }

  private void queue(String name, String spec) {
    world.cluster.create(
        Kinds.CLUSTER_QUEUE,
        Worlds.yaml(
            "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: %s}, spec: {%s}}"
                .formatted(name, spec)));
    world.localQueue("default", name, name);
  }

  private static Configuration configuration(boolean fine) {
    var gates = new TreeMap<String, Boolean>();
    gates.put("UnadmittedWorkloadsObservability", fine);
    return ConfigurationFile.none(gates, "kueue-system").configuration();
  }

  private WorkloadStatus status(String workload) {
    return world.workload("default", workload).status();
  }
}
