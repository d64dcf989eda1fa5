package dev.sluice.controllers.queueing.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.controllers.queueing.admission.PreemptionMessages;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** An eviction is counted once, with its cause, however often it was decided or seen. */
final class EvictionMetersTest {
  private static final Duration MOMENT = Duration.ofSeconds(5);
  private static final ObjectKey VICTIM = Kinds.WORKLOAD.key("other", "victim");

  private final Loaded loaded =
      ConfigurationFile.read(
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          integrations: {frameworks: [batch/job]}
          """,
          new TreeMap<>());
  private final QueueWorld world = new QueueWorld(loaded.configuration());
  private final QueueMetrics metrics = metrics();

  private QueueMetrics metrics() {
    return new QueueMetrics(
        world.cluster,
        world.cache,
        loaded.configuration(),
        loaded.manager().metrics(),
        () -> "leader",
        "1.2.3");
  }

  /** The victim runs on borrowed quota that the lender may reclaim. */
  private VirtualDriver borrowed() {
    world.clusterQueue("lender", "all", 2).clusterQueue("borrower", "all", 0);
    world.spec(
        Kinds.CLUSTER_QUEUE.key("lender"),
        spec -> spec.with("preemption", Tree.of("reclaimWithinCohort", "Any")));
    world.localQueue("default", "a", "lender").localQueue("other", "b", "borrower");
    world.workload("other", "victim", "b", 0, 2);
    world.add(metrics.controller());
    return world.start(metrics, MOMENT);
  }

  private SortedMap<String, Double> samples(QueueMetrics of, Predicate<String> wanted) {
    return MetricSamples.of(of).entrySet().stream()
        .filter(sample -> wanted.test(sample.getKey()))
        .collect(
            Collectors.toMap(
                sample -> sample.getKey(), sample -> sample.getValue(), Double::sum, TreeMap::new));
  }

  @Test
  void preemptionThatIsWrittenAgainCountsOnce() {
    VirtualDriver driver = borrowed();
    world.cluster.losesStatusOf(VICTIM::equals);
    world.workload("default", "new", "a", 0, 2);
    Worlds.pass(driver, world.cluster, MOMENT);
    assertThat(world.workload("other", "victim").status().holds(WorkloadStatus.EVICTED)).isFalse();
    assertThat(samples(metrics, name -> name.contains("preempted_workloads"))).isEmpty();

    world.cluster.losesStatusOf(key -> false);
    Worlds.pass(driver, world.cluster, MOMENT);
    Worlds.pass(driver, world.cluster, MOMENT);

    String why = "priority_class=,reason=Preempted,underlying_cause=}";
    assertThat(MetricSamples.of(metrics))
        .containsEntry(
            "kueue_preempted_workloads_total"
                + "{preempting_cluster_queue=lender,reason=InCohortReclamation}",
            1.0)
        .containsEntry("kueue_evicted_workloads_total{cluster_queue=borrower," + why, 1.0)
        .containsEntry("kueue_evicted_workloads_once_total{cluster_queue=borrower," + why, 1.0)
        .containsEntry(
            "kueue_admitted_workloads_total{cluster_queue=borrower,priority_class=}", 1.0)
        .containsEntry(
            "kueue_admission_wait_time_seconds_count{cluster_queue=borrower,priority_class=}", 1.0);
  }

  @Test
  void admissionThatIsWrittenAgainCountsOnce() {
    world.cluster.losesStatusOf(VICTIM::equals);
    VirtualDriver driver = borrowed();
    assertThat(samples(metrics, name -> name.contains("admitted_workloads_total"))).isEmpty();

    world.cluster.losesStatusOf(key -> false);
    Worlds.pass(driver, world.cluster, MOMENT);

    String queue = "{cluster_queue=borrower,priority_class=}";
    assertThat(MetricSamples.of(metrics))
        .containsEntry("kueue_quota_reserved_workloads_total" + queue, 1.0)
        .containsEntry("kueue_quota_reserved_wait_time_seconds_count" + queue, 1.0)
        .containsEntry("kueue_admitted_workloads_total" + queue, 1.0)
        .containsEntry("kueue_admission_wait_time_seconds_count" + queue, 1.0);
  }

  @Test
  void evictionBeforeAStartIsNotCountedAgain() {
    VirtualDriver driver = borrowed();
    world.workload("default", "new", "a", 0, 2);
    Worlds.pass(driver, world.cluster, MOMENT);

    QueueMetrics next = metrics();
    world.add(next.controller());
    world.start(next, MOMENT);

    assertThat(
            samples(
                next,
                name ->
                    name.contains("preempted_workloads")
                        || name.contains("evicted_workloads")
                        || name.contains("workloads_total{cluster_queue")
                        || name.contains("wait_time_seconds_count")))
        .isEmpty();
  }

  @Test
  void underlyingCauseIsALabel() {
    VirtualDriver driver = borrowed();
    for (String cause : new String[] {"WaitForStart", "WaitForRecovery", "WaitForStart"}) {
      world.status(
          VICTIM,
          (status, now) -> WorkloadTransitions.evict(status, "PodsReadyTimeout", "", cause, now));
      Worlds.pass(driver, world.cluster, MOMENT);
    }

    String why =
        "{cluster_queue=borrower,priority_class=,reason=PodsReadyTimeout,underlying_cause=";
    assertThat(MetricSamples.of(metrics))
        .containsEntry("kueue_evicted_workloads_total" + why + "WaitForStart}", 2.0)
        .containsEntry("kueue_evicted_workloads_once_total" + why + "WaitForStart}", 1.0)
        .containsEntry("kueue_evicted_workloads_total" + why + "WaitForRecovery}", 1.0)
        .containsEntry("kueue_evicted_workloads_once_total" + why + "WaitForRecovery}", 1.0);
  }

  @Test
  void deactivatedPendingWorkloadIsNotEvicted() {
    VirtualDriver driver = borrowed();
    world.workload("other", "waits", "b", 0, 2);
    Worlds.pass(driver, world.cluster, MOMENT);
    world.status(
        Kinds.WORKLOAD.key("other", "waits"),
        (status, now) -> WorkloadTransitions.evict(status, "Deactivated", "", "", now));
    Worlds.pass(driver, world.cluster, MOMENT);

    assertThat(samples(metrics, name -> name.contains("evicted_workloads"))).isEmpty();
  }

  @Test
  void messageNamesThePreemptingQueue() {
    String message = "…; preemptor path: /root/left/lender; preemptee path: /root/borrower";

    assertThat(PreemptionMessages.preemptingQueue(message)).isEqualTo("lender");
    assertThat(PreemptionMessages.preemptingQueue("Preempted by hand")).isEmpty();
  }
}
