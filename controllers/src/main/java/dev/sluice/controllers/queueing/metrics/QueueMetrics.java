package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.PrometheusText;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ManagerSettings;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.PendingReason;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/**
 * The metrics of queues and workloads, under Kueue's names, so that its dashboards and alerts work.
 * Counters and histograms follow the decisions and the watch; gauges are read when the {@link
 * #text} is requested.
 *
 * <p>Threads: safe.
 */
public final class QueueMetrics implements DecisionLog {
  private final Cluster cluster;
  private final QueueCache cache;
  private final Configuration configuration;
  private final ManagerSettings.Metrics settings;
  private final Supplier<String> role;
  private final String version;
  private final CustomLabels custom;
  private final Meters meters;
  private final Meters.Tally attempts;
  private final Meters.Timer attemptsTook;
  private final WorkloadEventCounter watch;
  private final SortedMap<String, Integer> skips = new ConcurrentSkipListMap<>();

  /**
   * @param role {@code leader}, {@code follower} or {@code standalone}
   * @param version of this program
   */
  public QueueMetrics(
      Cluster cluster,
      QueueCache cache,
      Configuration configuration,
      ManagerSettings.Metrics settings,
      Supplier<String> role,
      String version) {
    this.cluster = cluster;
    this.cache = cache;
    this.configuration = configuration;
    this.settings = settings;
    this.role = role;
    this.version = version;
    this.custom = new CustomLabels(cluster, settings.customLabels());
    this.meters = new Meters(role, custom);
    this.attempts =
        meters.counter(
            "admission_attempts_total",
            "Admission cycles, by whether a workload was admitted",
            "result");
    this.attemptsTook =
        meters.timer(
            "admission_attempt_duration_seconds",
            "How long a look at all queues took, with what was written after it",
            List.of(.005, .01, .025, .05, .1, .25, .5, 1.0, 2.5, 5.0, 10.0),
            "result");
    this.watch = new WorkloadEventCounter(cluster, configuration, settings, meters);
  }

  /** The controller that counts events of workloads. */
  public Controller controller() {
    return watch;
  }

  /** A decision counts once it is written and the watch has seen it. */
  @Override
  public void decided(Instant at, AdmissionDecision decision) {}

  @Override
  public void attempted(Instant began, Instant ended, List<AdmissionDecision> decisions) {
    skips.replaceAll((queue, count) -> 0);
    if (decisions.isEmpty()) {
      return;
    }
    for (AdmissionDecision decision : decisions) {
      if (decision instanceof AdmissionDecision.Pending(var workload, PendingReason reason)
          && reason.kind() == PendingReason.Kind.OVERLAPPING_VICTIMS) {
        skips.merge(workload.clusterQueue(), 1, Integer::sum);
      }
    }
    boolean admitted = decisions.stream().anyMatch(AdmissionDecision.Admit.class::isInstance);
    String result = admitted ? "success" : "inadmissible";
    attempts.add(result);
    attemptsTook.took(Duration.between(began, ended), result);
  }

  /** All metrics in Prometheus' text format. */
  public String text() {
    // A gauge and a counter may differ only in the suffix _total, which a single set does not
    // allow.
    return PrometheusText.of(meters.collect()) + PrometheusText.of(gauges());
  }

  private MetricSnapshots gauges() {
    var gauges = new Gauges(role.get(), custom);
    cache.read(queues -> collect(queues, gauges));
    new WorkloadGauges(cluster, configuration, settings).collect(gauges);
    skips.keySet().removeIf(queue -> cluster.get(Kinds.CLUSTER_QUEUE.key(queue)).isEmpty());
    skips.forEach((queue, count) ->
        gauges.set(
            "admission_cycle_preemption_skips",
            "Workloads that wait because others evict the same workloads",
            count,
            "cluster_queue",
            queue));
    // Some of Kueue's labels are about its Go program: they are expected, but have no value here.
    String[] build = {"git_version", version, "git_commit", "", "build_date", "", "go_version", ""};
    String[] platform = {"compiler", "javac", "platform", "java"};
    gauges.setForAll("build_info", "What runs here", 1, QueueTally.with(platform, build));
    return gauges.snapshots();
  }

  private Gauges collect(AdmissionQueues queues, Gauges gauges) {
    var queueGauges = new QueueGauges(cluster, configuration, custom);
    var localQueues = new LocalQueues(cluster, settings, queues);
    queueGauges.clusterQueues(queues, gauges);
    queueGauges.localQueues(localQueues, gauges);
    ResourceGauges.localQueues(localQueues, gauges);
    CohortGauges.tree(queues, gauges);
    if (settings.clusterQueueResources()) {
      ResourceGauges.clusterQueues(queues, gauges);
    }
    if (configuration.fairSharing().isPresent()) {
      CohortGauges.shares(queues, gauges);
    }
    return gauges;
  }
}
