package dev.sluice.controllers.queueing.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every series of Kueue exists with its name and labels, so that its dashboards and alerts work.
 */
final class MetricCatalogTest {
  /**
   * Kueue's names without their prefix, and the labels without the role; those of MultiKueue are
   * missing.
   */
  private static final String CATALOG =
      """
      admission_attempt_duration_seconds result
      admission_attempts_total result
      admission_checks_wait_time_seconds cluster_queue priority_class
      admission_cycle_preemption_skips cluster_queue
      admission_wait_time_seconds cluster_queue priority_class
      admitted_active_workloads cluster_queue
      admitted_until_ready_wait_time_seconds cluster_queue priority_class
      admitted_workloads_total cluster_queue priority_class
      build_info build_date compiler git_commit git_version go_version platform
      cluster_queue_borrowing_limit cluster_queue cohort flavor resource
      cluster_queue_info cluster_queue parent_cohort root_cohort
      cluster_queue_lending_limit cluster_queue cohort flavor resource
      cluster_queue_nominal_quota cluster_queue cohort flavor resource
      cluster_queue_resource_pending cluster_queue resource
      cluster_queue_resource_reservation cluster_queue cohort flavor resource
      cluster_queue_resource_usage cluster_queue cohort flavor resource
      cluster_queue_status cluster_queue status
      cluster_queue_weighted_share cluster_queue cohort
      cohort_info cohort parent_cohort root_cohort
      cohort_subtree_admitted_active_workloads cohort
      cohort_subtree_admitted_workloads_total cohort priority_class
      cohort_subtree_quota cohort flavor resource
      cohort_subtree_resource_reservations cohort flavor resource
      cohort_weighted_share cohort
      evicted_workloads_once_total cluster_queue priority_class reason underlying_cause
      evicted_workloads_total cluster_queue priority_class reason underlying_cause
      finished_workloads cluster_queue
      finished_workloads_total cluster_queue priority_class
      local_queue_admission_checks_wait_time_seconds name namespace priority_class
      local_queue_admission_fair_sharing_usage cluster_queue name namespace
      local_queue_admission_wait_time_seconds name namespace priority_class
      local_queue_admitted_active_workloads name namespace
      local_queue_admitted_until_ready_wait_time_seconds name namespace priority_class
      local_queue_admitted_workloads_total name namespace priority_class
      local_queue_evicted_workloads_total name namespace priority_class reason underlying_cause
      local_queue_finished_workloads name namespace
      local_queue_finished_workloads_total name namespace priority_class
      local_queue_pending_workloads name namespace status
      local_queue_quota_reserved_wait_time_seconds name namespace priority_class
      local_queue_quota_reserved_workloads_total name namespace priority_class
      local_queue_ready_wait_time_seconds name namespace priority_class
      local_queue_reserving_active_workloads name namespace
      local_queue_resource_reservation flavor name namespace resource
      local_queue_resource_usage flavor name namespace resource
      local_queue_status active name namespace
      local_queue_unadmitted_workloads cluster_queue name namespace reason underlying_cause
      pending_workloads cluster_queue status
      pod_scheduling_gate_removal_seconds cluster_queue is_group name
      pods_ready_to_evicted_time_seconds cluster_queue reason underlying_cause
      preempted_workloads_total preempting_cluster_queue reason
      quota_reserved_wait_time_seconds cluster_queue priority_class
      quota_reserved_workloads_total cluster_queue priority_class
      ready_wait_time_seconds cluster_queue priority_class
      replaced_workload_slices_total cluster_queue
      reserving_active_workloads cluster_queue
      unadmitted_workloads cluster_queue reason underlying_cause
      workload_creation_latency_seconds job_kind
      workload_eviction_latency_seconds cluster_queue reason
      """;

  private static final Pattern SAMPLE =
      Pattern.compile("^kueue_([a-z_]+?)(?:_bucket|_sum|_count)?\\{(.*)} ", Pattern.MULTILINE);

  private final Loaded loaded =
      ConfigurationFile.read(
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          integrations: {frameworks: [batch/job, pod]}
          metrics: {enableClusterQueueResources: true}
          fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare]}
          admissionFairSharing: {usageHalfLifeTime: 10m}
          featureGates: {UnadmittedWorkloadsObservability: true}
          """,
          new TreeMap<>());
  private final QueueWorld world = new QueueWorld(loaded.configuration());
  private final QueueMetrics metrics = MetricSamples.metrics(world, loaded);

  @Test
  void everySeriesOfKueueExistsWithItsLabels() {
    createQueues();
    world.add(metrics.controller());
    VirtualDriver driver = world.start(metrics, Duration.ofSeconds(1));
    makeCheckReady(driver);
    ungatePod(driver);
    replaceSliceAfterEviction(driver);
    addPendingWorkload(driver);

    assertThat(series()).containsAll(CATALOG.lines().toList());
  }

  private void createQueues() {
    world.cluster.create(
        Kinds.CLUSTER_QUEUE,
        Worlds.yaml(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: cq}
            spec:
              cohortName: all
              namespaceSelector: {}
              admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
              resourceGroups:
              - coveredResources: [cpu]
                flavors:
                - name: plain
                  resources:
                  - {name: cpu, nominalQuota: 4, borrowingLimit: 1, lendingLimit: 1}
            """));
    world.localQueue("default", "a", "cq");
  }

  private void makeCheckReady(VirtualDriver driver) {
    world.workload("default", "checked", "a", 0, 1);
    CheckState ready = CheckState.pending("check", now()).in(CheckState.READY, "", now());
    var flavors = new TreeMap<String, String>();
    flavors.put("cpu", "plain");
    var quota = new Admission.Assignment("main", 1, flavors, Amounts.of("cpu", 1000));
    change(
        "checked",
        status ->
            WorkloadTransitions.reserve(status, new Admission("cq", List.of(quota)), now())
                .withAdmissionChecks(List.of(ready)));
    pass(driver);
    change("checked", status -> WorkloadTransitions.admit(status, "cq", now()).status());
    pass(driver);
  }

  private void ungatePod(VirtualDriver driver) {
    ApiObject pod = world.gatedPod("a");
    pass(driver);
    world.cluster.update(
        Kinds.POD, new ApiObject(pod.tree().without(List.of("spec", "schedulingGates"))));
    pass(driver);
  }

  private void replaceSliceAfterEviction(VirtualDriver driver) {
    world.workload("default", "one", "a", 0, 1);
    pass(driver);
    change(
        "one",
        status ->
            status.with(
                WorkloadTransitions.condition(WorkloadStatus.PODS_READY, true, "Started", ""),
                now()));
    pass(driver);
    change("one", status -> WorkloadTransitions.preempt(status, "InClusterQueue", "", now()));
    pass(driver);
    change(
        "one", status -> WorkloadTransitions.releaseEvicted(status, ConditionReasons.PLAIN, now()));
    change("one", status -> WorkloadTransitions.finish(status, "WorkloadSliceReplaced", "", now()));
    pass(driver);
  }

  private void addPendingWorkload(VirtualDriver driver) {
    world.workload("default", "huge", "a", 0, 99);
    pass(driver);
    metrics.attempted(now(), now(), List.of(SkippedWorkload.decision(now())));
  }

  private void change(String name, UnaryOperator<WorkloadStatus> change) {
    Workload workload = world.workload("default", name);
    world.cluster.patchStatus(
        Kinds.WORKLOAD, workload.object(), change.apply(workload.status()).tree());
  }

  private void pass(VirtualDriver driver) {
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(2));
  }

  private Instant now() {
    return world.cluster.time().now();
  }

  /** The series of the metrics, in the form of the catalog. */
  private SortedSet<String> series() {
    var series = new TreeSet<String>();
    Matcher sample = SAMPLE.matcher(metrics.text());
    while (sample.find()) {
      var labels = new TreeSet<String>();
      for (String label : sample.group(2).split("\",?", -1)) {
        if (label.endsWith("=")) {
          labels.add(label.substring(0, label.length() - 1));
        }
      }
      labels.removeAll(List.of("replica_role", "le"));
      series.add(sample.group(1) + " " + String.join(" ", labels));
    }
    return series;
  }
}
