package dev.sluice.controllers.queueing.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.Workload.PriorityClassRef;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class QueueMetricsTest {
  private final Loaded loaded =
      ConfigurationFile.read(
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          integrations: {frameworks: [batch/job, pod]}
          metrics: {enableClusterQueueResources: true}
          fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare]}
          """,
          new TreeMap<>());
  private final QueueWorld world = new QueueWorld(loaded.configuration());
  private final QueueMetrics metrics = MetricSamples.metrics(world, loaded);

  private VirtualDriver start() {
    world.add(metrics.controller());
    return world.start(metrics, Duration.ofSeconds(1));
  }

  private SortedMap<String, Double> samples() {
    return MetricSamples.of(metrics);
  }

  private void change(String name, UnaryOperator<WorkloadStatus> change) {
    Workload workload = world.workload("default", name);
    world.cluster.patchStatus(
        Kinds.WORKLOAD, workload.object(), change.apply(workload.status()).tree());
  }

  private Instant now() {
    return world.cluster.time().now();
  }

  /** Users who create workloads must not be able to fill the memory with labels. */
  @Test
  void onlyExistingPriorityClassesAreLabels() {
    world.clusterQueue("cq", "", 9).localQueue("default", "a", "cq");
    world.cluster.create(
        Kinds.WORKLOAD_PRIORITY_CLASS,
        Worlds.yaml("{kind: WorkloadPriorityClass, metadata: {name: high}, value: 9}"));
    for (String name : List.of("high", "invented")) {
      world.workload("default", name, "a", 9, 1);
      var reference = PriorityClassRef.workloadPriorityClass(name);
      world.change(
          Kinds.WORKLOAD.key("default", name),
          workload -> new Workload(workload).withPriority(reference, 9).object());
    }
    VirtualDriver driver = start();

    String admitted = "kueue_admitted_workloads_total{cluster_queue=cq,priority_class=%s}";
    assertThat(samples())
        .containsEntry(admitted.formatted("high"), 1.0)
        .containsEntry(admitted.formatted(""), 1.0)
        .doesNotContainKey(admitted.formatted("invented"));

    world.delete(Kinds.WORKLOAD_PRIORITY_CLASS.key("high"));
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(1));
    assertThat(samples()).doesNotContainKey(admitted.formatted("high"));
  }

  @Test
  void pendingAndAdmittedWorkloadsAreCounted() {
    world.clusterQueue("cq", "all", 2).clusterQueue("rich", "all", 1);
    world.localQueue("default", "a", "cq");
    world.workload("default", "one", "a", 0, 3).workload("default", "two", "a", -1, 1);
    start();

    assertThat(samples())
        .containsEntry("kueue_pending_workloads{cluster_queue=cq,status=active}", 0.0)
        .containsEntry("kueue_pending_workloads{cluster_queue=cq,status=inadmissible}", 1.0)
        .containsEntry(
            "kueue_local_queue_pending_workloads{name=a,namespace=default,status=inadmissible}",
            1.0)
        .containsEntry("kueue_reserving_active_workloads{cluster_queue=cq}", 1.0)
        .containsEntry("kueue_admitted_active_workloads{cluster_queue=cq}", 1.0)
        .containsEntry("kueue_admitted_workloads_total{cluster_queue=cq,priority_class=}", 1.0)
        .containsEntry(
            "kueue_quota_reserved_workloads_total{cluster_queue=cq,priority_class=}", 1.0)
        .containsEntry(
            "kueue_local_queue_admitted_workloads_total"
                + "{name=a,namespace=default,priority_class=}",
            1.0)
        .containsEntry(
            "kueue_admission_wait_time_seconds_count{cluster_queue=cq,priority_class=}", 1.0)
        .containsEntry("kueue_admission_attempts_total{result=success}", 1.0)
        .containsKey(
            "kueue_build_info{build_date=,compiler=javac,git_commit=,git_version=1.2.3"
                + ",go_version=,platform=java}");
  }

  @Test
  void cohortCountsReservationsThatItsQueuesDoNotLend() {
    world.clusterQueue("cq", "all", 8).localQueue("default", "a", "cq");
    world.spec(
        Kinds.CLUSTER_QUEUE.key("cq"),
        spec ->
            spec.with(
                "resourceGroups",
                List.of(
                    Worlds.yaml(
                            "{coveredResources: [cpu], flavors: [{name: plain, resources:"
                                + " [{name: cpu, nominalQuota: 8, lendingLimit: 6}]}]}")
                        .tree())));
    world.workload("default", "one", "a", 0, 6);
    start();

    assertThat(samples())
        .containsEntry(
            "kueue_cohort_subtree_resource_reservations{cohort=all,flavor=plain,resource=cpu}",
            6.0);
  }

  @Test
  void shareOfBorrowingQueueWithoutWeightIsNoNumber() {
    world.clusterQueue("cq", "all", 2).clusterQueue("rich", "all", 1);
    world.spec(
        Kinds.CLUSTER_QUEUE.key("cq"), spec -> spec.with(List.of("fairSharing", "weight"), "0"));
    world.localQueue("default", "a", "cq").workload("default", "one", "a", 0, 3);
    start();

    assertThat(samples())
        .containsEntry(
            "kueue_cluster_queue_weighted_share{cluster_queue=cq,cohort=all}", Double.NaN);
  }

  @Test
  void quotaTreeAndItsResourcesAreShown() {
    world.clusterQueue("cq", "all", 2).clusterQueue("rich", "all", 1);
    world.localQueue("default", "a", "cq").workload("default", "one", "a", 0, 3);
    start();
    world.workload("default", "two", "a", 0, 5);

    assertThat(samples())
        .containsEntry("kueue_cluster_queue_status{cluster_queue=cq,status=active}", 1.0)
        .containsEntry("kueue_cluster_queue_status{cluster_queue=cq,status=pending}", 0.0)
        .containsEntry("kueue_local_queue_status{active=Unknown,name=a,namespace=default}", 1.0)
        .containsEntry(
            "kueue_cluster_queue_weighted_share{cluster_queue=cq,cohort=all}", 1000.0 / 3)
        .containsEntry("kueue_cohort_weighted_share{cohort=all}", 0.0)
        .containsEntry("kueue_cohort_info{cohort=all,parent_cohort=,root_cohort=all}", 1.0)
        .containsEntry(
            "kueue_cluster_queue_info{cluster_queue=cq,parent_cohort=all,root_cohort=all}", 1.0)
        .containsEntry(
            "kueue_cohort_subtree_admitted_workloads_total{cohort=all,priority_class=}", 1.0)
        .containsEntry("kueue_cohort_subtree_admitted_active_workloads{cohort=all}", 1.0)
        .containsEntry("kueue_cohort_subtree_quota{cohort=all,flavor=plain,resource=cpu}", 3.0)
        .containsEntry(
            "kueue_cluster_queue_nominal_quota"
                + "{cluster_queue=cq,cohort=all,flavor=plain,resource=cpu}",
            2.0)
        .containsEntry(
            "kueue_cluster_queue_resource_usage"
                + "{cluster_queue=cq,cohort=all,flavor=plain,resource=cpu}",
            3.0)
        .containsEntry("kueue_cluster_queue_resource_pending{cluster_queue=cq,resource=cpu}", 5.0)
        .containsEntry(
            "kueue_local_queue_resource_usage"
                + "{flavor=plain,name=a,namespace=default,resource=cpu}",
            3.0);
  }

  @Test
  void lifecycleOfAWorkloadIsMeasured() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.workload("default", "one", "a", 0, 1);
    VirtualDriver driver = start();

    Worlds.pass(driver, world.cluster, Duration.ofSeconds(4));
    change(
        "one",
        status ->
            status.with(
                WorkloadTransitions.condition(WorkloadStatus.PODS_READY, true, "Started", ""),
                now()));
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(100));
    change("one", status -> WorkloadTransitions.evict(status, "Deactivated", "", "ByHand", now()));
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(3));
    change(
        "one", status -> WorkloadTransitions.releaseEvicted(status, ConditionReasons.PLAIN, now()));
    change("one", status -> WorkloadTransitions.finish(status, "Succeeded", "", now()));
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(1));

    String why = "reason=Deactivated,underlying_cause=ByHand";
    assertThat(samples())
        .containsEntry(
            "kueue_admitted_until_ready_wait_time_seconds_bucket"
                + "{cluster_queue=cq,priority_class=,le=2.5}",
            0.0)
        .containsEntry(
            "kueue_admitted_until_ready_wait_time_seconds_bucket"
                + "{cluster_queue=cq,priority_class=,le=5.0}",
            1.0)
        .containsEntry(
            "kueue_evicted_workloads_total{cluster_queue=cq,priority_class=," + why + "}", 1.0)
        .containsEntry(
            "kueue_evicted_workloads_once_total{cluster_queue=cq,priority_class=," + why + "}", 1.0)
        .containsEntry(
            "kueue_pods_ready_to_evicted_time_seconds_sum{cluster_queue=cq," + why + "}", 100.0)
        .containsEntry(
            "kueue_workload_eviction_latency_seconds_sum{cluster_queue=cq,reason=Deactivated}", 3.0)
        .containsEntry("kueue_finished_workloads_total{cluster_queue=cq,priority_class=}", 1.0)
        .containsEntry("kueue_finished_workloads{cluster_queue=cq}", 1.0)
        .containsEntry("kueue_local_queue_finished_workloads{name=a,namespace=default}", 1.0);
  }

  @Test
  void creationAndUngatingAreMeasured() {
    world.clusterQueue("cq", "all", 2).localQueue("default", "a", "cq");
    VirtualDriver driver = start();
    ApiObject pod = world.gatedPod("a");
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(3));
    world.cluster.update(
        Kinds.POD, new ApiObject(pod.tree().without(List.of("spec", "schedulingGates"))));
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(1));

    assertThat(samples())
        .containsEntry("kueue_workload_creation_latency_seconds_count{job_kind=Pod}", 1.0)
        .containsEntry(
            "kueue_pod_scheduling_gate_removal_seconds_count"
                + "{cluster_queue=cq,is_group=false,name=kueue.x-k8s.io/admission}",
            1.0);
  }

  /** A changed job may have got its workload long after its creation. */
  @Test
  void changedJobHasNoCreationLatency() {
    world.clusterQueue("cq", "all", 2).localQueue("default", "a", "cq");
    VirtualDriver driver = start();
    ApiObject fresh = world.cluster.create(Kinds.JOB, Worlds.job("fresh", spec -> spec));
    ApiObject changed = world.cluster.create(Kinds.JOB, Worlds.job("changed", spec -> spec));
    changed = world.cluster.update(Kinds.JOB, changed.with(List.of("spec", "parallelism"), 2));

    world.workload("default", "first", "a", 0, 1, fresh);
    world.workload("default", "larger", "a", 0, 1, changed);
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(1));

    assertThat(samples())
        .containsEntry("kueue_workload_creation_latency_seconds_count{job_kind=Job}", 1.0);
  }

  @Test
  void skippedWorkloadsAreCounted() {
    world.clusterQueue("cq", "", 2);

    metrics.attempted(now(), now().plusMillis(20), List.of(SkippedWorkload.decision(now())));

    assertThat(samples())
        .containsEntry("kueue_admission_cycle_preemption_skips{cluster_queue=cq}", 1.0)
        .containsEntry("kueue_admission_attempts_total{result=inadmissible}", 1.0)
        .containsEntry("kueue_admission_attempt_duration_seconds_sum{result=inadmissible}", 0.02);
  }

  @Test
  void waitingTimesHaveTheBucketsOfKueue() {
    assertThat(Meters.waits(14)).startsWith(1.0, 2.5, 5.0, 10.0).endsWith(10240.0).hasSize(14);
    assertThat(Meters.waits(16)).endsWith(40960.0).hasSize(16);
    assertThat(Meters.doubling(0.01, 11)).startsWith(0.01, 0.02).endsWith(10.24).hasSize(11);
  }
}
