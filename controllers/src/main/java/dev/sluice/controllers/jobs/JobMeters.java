package dev.sluice.controllers.jobs;

import dev.sluice.model.ApiObject;
import dev.sluice.model.batch.Indexes;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.TimeSource;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;

/**
 * The metrics of the Job controller, under Kubernetes' names.
 *
 * <p>Threads: safe.
 */
final class JobMeters {
  private static final String PREFIX = "job_controller_";

  /** Users choose the names in {@code managedBy}, so the number of label values is limited. */
  private static final int MAX_MANAGERS = 100;

  private static final String OTHER_MANAGERS = "other";
  private static final double FIRST_BOUND = 0.004;
  private static final int BOUNDS = 15;

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final SortedSet<String> managers = new ConcurrentSkipListSet<>();
  private final Histogram took =
      Histogram.builder()
          .name(PREFIX + "job_sync_duration_seconds")
          .help("How long a look at a Job took, with what was written")
          .classicOnly()
          .classicUpperBounds(
              Stream.iterate(FIRST_BOUND, bound -> bound * 2)
                  .limit(BOUNDS)
                  .mapToDouble(Double::doubleValue)
                  .toArray())
          .labelNames("completion_mode", "result", "action")
          .withoutExemplars()
          .register(registry);
  private final Counter syncs =
      counter("job_syncs_total", "Looks at Jobs", "completion_mode", "result", "action");
  private final Counter finished =
      counter("jobs_finished_total", "Jobs that finished", "completion_mode", "result", "reason");
  private final Counter podsFinished =
      counter("job_pods_finished_total", "Pods that were counted", "completion_mode", "result");
  private final Counter handled =
      counter(
          "pod_failures_handled_by_failure_policy_total",
          "Failed pods that a rule of their Job's policy matched",
          "action");
  private final Counter tracked =
      counter(
          "terminated_pods_tracking_finalizer_total",
          "Pods that ended and wait to be counted (add), and that were let go (delete)",
          "event");
  private final Counter indexes =
      counter("job_finished_indexes_total", "Indexes that finished", "status", "backoffLimit");
  private final Counter created =
      counter("job_pods_creation_total", "Pods that were to be created", "reason", "status");
  private final Counter managedByOthers =
      counter(
          "jobs_by_external_controller_total",
          "Jobs whose managedBy names another controller",
          "controller_name");

  private Counter counter(String name, String help, String... labels) {
    return Counter.builder()
        .name(PREFIX + name)
        .help(help)
        .labelNames(labels)
        .withoutExemplars()
        .register(registry);
  }

  MetricSnapshots collect() {
    return registry.scrape();
  }

  private static String mode(Job job) {
    return job.isIndexed() ? "Indexed" : "NonIndexed";
  }

  /** Begins to measure one sync of a Job, which ends when the result is closed. */
  Look look(Job job, TimeSource time) {
    return new Look(job, time);
  }

  /** One sync of a Job; it counts as failed unless {@link #ended} was called. */
  final class Look implements AutoCloseable {
    private final Job job;
    private final TimeSource time;
    private final Instant began;
    private String action = "reconciling";
    private String result = "error";

    private Look(Job job, TimeSource time) {
      this.job = job;
      this.time = time;
      this.began = time.now();
    }

    void decided(PodPlan work) {
      action = action(work);
    }

    /** The sync is complete; it succeeded unless pods were refused. */
    void ended(
        PodCounts counts, PodWriter.Creation creation, PodTracking podTracking, JobStatus status) {
      created(job, counts, creation);
      handled(counts.newlyFailed(), podTracking.release());
      counted(job, job.status(), status);
      result = creation.refusals().isEmpty() ? "success" : "error";
    }

    @Override
    public void close() {
      Duration whole = Duration.between(began, time.now());
      syncs.labelValues(mode(job), result, action).inc();
      took.labelValues(mode(job), result, action).observe(whole.toNanos() / 1e9);
    }
  }

  private static String action(PodPlan work) {
    return switch (work) {
      case PodPlan.Nothing _, PodPlan.Hold _ -> "tracking";
      case PodPlan.Finish _ -> "reconciling";
      case PodPlan.Remove _ -> "pods_deleted";
      case PodPlan.Create _ -> "pods_created";
    };
  }

  void finished(Job job, JobOutcome.Ending ending) {
    String result = ending instanceof JobOutcome.Success ? "succeeded" : "failed";
    finished.labelValues(mode(job), result, ending.reason()).inc();
  }

  /** The status of a Job was written: the increase of its counters is the pods that finished. */
  private void counted(Job job, JobStatus before, JobStatus after) {
    add(podsFinished, after.succeeded() - before.succeeded(), mode(job), "succeeded");
    add(podsFinished, after.failed() - before.failed(), mode(job), "failed");
    if (job.isIndexed()) {
      long all = job.completions().orElse(0);
      boolean perIndex = job.backoffLimitPerIndex().isPresent();
      String limit = perIndex ? "perIndex" : "global";
      add(indexes, after.succeeded() - before.succeeded(), "succeeded", limit);
      long failed = failedIndexes(after, all) - failedIndexes(before, all);
      add(indexes, perIndex ? failed : 0, "failed", limit);
    }
  }

  private static long failedIndexes(JobStatus status, long completions) {
    return Indexes.parse(status.failedIndexes(), completions).size();
  }

  /** A Job with fewer completions than before loses indexes, which are not counted. */
  private static void add(Counter counter, long amount, String... labels) {
    if (amount > 0) {
      counter.labelValues(labels).inc(amount);
    }
  }

  /** Failed pods that a rule matched count as handled once their finalizers are removed. */
  private void handled(List<FailedPod> failed, List<Pod> released) {
    List<FailedPod> matched = failed.stream().filter(FailedPod::isMatched).toList();
    if (matched.isEmpty()) {
      return;
    }
    var gone = new TreeSet<String>();
    released.forEach(pod -> gone.add(pod.uid()));
    matched.stream()
        .filter(pod -> gone.contains(pod.pod().uid()))
        .forEach(pod -> handled.labelValues(FailedPod.word(pod.action())).inc());
  }

  /** Pods of a Job with these counts were created, or refused. */
  private void created(Job job, PodCounts counts, PodWriter.Creation creation) {
    boolean onlyFailed = job.replacesOnlyFailed() && counts.failed() > 0;
    boolean again = counts.failed() > 0 || counts.terminating() > 0;
    String reason =
        onlyFailed ? "recreate_failed" : again ? "recreate_terminating_or_failed" : "new";
    add(created, creation.made(), reason, "succeeded");
    add(created, creation.refusals().size(), reason, "failed");
  }

  void podChanged(ObjectEvent event) {
    boolean before = event.before().map(JobMeters::waitsToBeCounted).orElse(false);
    boolean gone = event.type() == ObjectEvent.Type.DELETED;
    boolean after = !gone && waitsToBeCounted(event.object());
    if (before != after) {
      tracked.labelValues(after ? "add" : "delete").inc();
    }
  }

  private static boolean waitsToBeCounted(ApiObject pod) {
    return pod.hasFinalizer(Job.TRACKING) && new Pod(pod).isTerminal();
  }

  /** Counts a new Job if another controller manages it. */
  void jobChanged(ObjectEvent event) {
    var job = new Job(event.object());
    if (event.type() != ObjectEvent.Type.ADDED || job.isManagedHere()) {
      return;
    }
    String manager = job.object().spec().text("managedBy");
    boolean known =
        managers.contains(manager) || (managers.size() < MAX_MANAGERS && managers.add(manager));
    managedByOthers.labelValues(known ? manager : OTHER_MANAGERS).inc();
  }
}
