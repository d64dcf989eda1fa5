package dev.sluice.controllers.scheduling;

import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.queue.QueuedPod;
import io.prometheus.metrics.core.datapoints.GaugeDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;

/**
 * The metrics of the scheduler, under the names that dashboards and alerts of kube-scheduler use.
 * Events are counted as they happen; gauges are set after each reconcile.
 *
 * <p>Threads: safe.
 */
final class SchedulerMetrics {
  private static final String PREFIX = "scheduler_";
  private static final int MAX_ATTEMPTS = 15;
  private static final double[] DURATIONS = doubling(0.001, 15);

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final List<Profile> profiles;
  private final Counter attempts =
      Counter.builder()
          .name(PREFIX + "schedule_attempts_total")
          .help("Attempts to schedule pods, by their result")
          .labelNames("result", "profile")
          .withoutExemplars()
          .register(registry);
  private final Counter preemptions =
      Counter.builder()
          .name(PREFIX + "preemption_attempts_total")
          .help("Pods for which others had to leave")
          .withoutExemplars()
          .register(registry);
  private final Histogram attemptsTook =
      histogram(
          "scheduling_attempt_duration_seconds",
          "From the look at the nodes to what was written",
          DURATIONS,
          "result",
          "profile");
  private final Histogram lookTook =
      histogram("scheduling_algorithm_duration_seconds", "The look at the nodes", DURATIONS);
  private final Histogram waits =
      histogram(
          "pod_scheduling_sli_duration_seconds",
          "From a pod's arrival to its binding",
          doubling(0.01, 20),
          "attempts");
  private final Histogram tries =
      histogram("pod_scheduling_attempts", "Attempts that a pod took", doubling(1, 5));
  private final Histogram victims =
      histogram("preemption_victims", "Pods that had to leave for one", doubling(1, 7));
  private final Histogram permitted =
      histogram(
          "permit_wait_duration_seconds",
          "How long pods with room waited for a permission",
          DURATIONS,
          "result");
  private final Gauge threads =
      Gauge.builder()
          .name(PREFIX + "goroutines")
          .help("Threads at work, by what they do")
          .labelNames("operation")
          .withoutExemplars()
          .register(registry);
  private final GaugeDataPoint binding = threads.labelValues("binding");
  private final StepTimes steps;
  private volatile SchedulerGauges standing = SchedulerGauges.NOTHING;

  SchedulerMetrics(List<Profile> profiles, Supplier<Instant> clock) {
    this.profiles = profiles;
    this.steps = new StepTimes(registry, clock);
  }

  StepTimes steps() {
    return steps;
  }

  private Histogram histogram(String name, String help, double[] bounds, String... labels) {
    return histogram(registry, name, help, bounds, labels);
  }

  static Histogram histogram(
      PrometheusRegistry registry, String name, String help, double[] bounds, String... labels) {
    return Histogram.builder()
        .name(PREFIX + name)
        .help(help)
        .classicOnly()
        .classicUpperBounds(bounds)
        .labelNames(labels)
        .withoutExemplars()
        .register(registry);
  }

  static double[] doubling(double first, int count) {
    return growing(first, 2, count);
  }

  static double[] growing(double first, double factor, int count) {
    return DoubleStream.iterate(first, bound -> bound * factor).limit(count).toArray();
  }

  /** Counts writes in flight: more begin, or fewer with a negative number. */
  void writes(int more) {
    binding.inc(more);
  }

  /** One run of the scheduling algorithm. */
  void looked(Duration took) {
    lookTook.observe(seconds(took));
  }

  /** One scheduling attempt, whose decision was written or refused. */
  void attempted(
      String profile,
      QueuedPod pod,
      PodDecision decision,
      boolean refused,
      Instant began,
      Instant now) {
    String result =
        refused
            ? "error"
            : switch (decision) {
              case PodDecision.Bind _ -> "scheduled";
              case PodDecision.MarkUnschedulable _, PodDecision.Preempt _ -> "unschedulable";
              // It counts when the pod is bound or loses its reservation.
              case PodDecision.Reserve _ -> "";
            };
    if (result.isEmpty()) {
      return;
    }
    attempts.labelValues(result, profile).inc();
    attemptsTook.labelValues(result, profile).observe(seconds(Duration.between(began, now)));
    if (result.equals("scheduled")) {
      String times =
          pod.attempts() >= MAX_ATTEMPTS ? MAX_ATTEMPTS + "+" : Integer.toString(pod.attempts());
      waits.labelValues(times).observe(seconds(Duration.between(pod.first(), now)));
      tries.observe(pod.attempts());
    }
    if (decision instanceof PodDecision.Preempt displace && !refused) {
      preemptions.inc();
      victims.observe(displace.victims().size());
    }
  }

  /** A pod no longer waits for a permit. */
  void permitted(Duration waited, boolean bound) {
    permitted.labelValues(bound ? "scheduled" : "unschedulable").observe(seconds(waited));
  }

  void stands(SchedulerGauges now) {
    standing = now;
  }

  static double seconds(Duration time) {
    return time.isNegative() ? 0 : time.toNanos() / 1e9;
  }

  MetricSnapshots measurements() {
    SchedulerGauges now = standing;
    var pending = gauge("pending_pods", "Pods that wait, by where they do");
    now.pending().forEach((queue, count) -> add(pending, count, "queue", queue));
    var unschedulable = gauge("unschedulable_pods", "Pods that found no node, by who objected");
    for (Profile profile : profiles) {
      refused(now, profile)
          .forEach((plugin, count) ->
              add(unschedulable, count, "plugin", plugin.word(), "profile", profile.name()));
    }
    var cache = gauge("cache_size", "What the scheduler knows of");
    now.known().forEach((type, count) -> add(cache, count, "type", type));
    var all = new ArrayList<MetricSnapshot>(registry.scrape().stream().toList());
    all.addAll(List.of(pending.build(), unschedulable.build(), cache.build(), arrivals(now)));
    return new MetricSnapshots(all);
  }

  /** How many pods of a profile are unschedulable, by plugin, under any of its scheduler names. */
  private static SortedMap<Plugin, Integer> refused(SchedulerGauges standing, Profile profile) {
    var sum = new TreeMap<Plugin, Integer>();
    for (String name : profile.names()) {
      standing
          .refused()
          .getOrDefault(name, Collections.emptySortedMap())
          .forEach((plugin, count) -> sum.merge(plugin, count, Integer::sum));
    }
    return sum;
  }

  private static CounterSnapshot arrivals(SchedulerGauges standing) {
    var counter =
        CounterSnapshot.builder()
            .name(PREFIX + "queue_incoming_pods")
            .help("How often pods came to a part of the queue, by what brought them there");
    standing
        .arrivals()
        .forEach((way, count) ->
            counter.dataPoint(
                CounterSnapshot.CounterDataPointSnapshot.builder()
                    .labels(Labels.of("queue", way.part().word(), "event", way.cause().word()))
                    .value(count)
                    .build()));
    return counter.build();
  }

  private static GaugeSnapshot.Builder gauge(String name, String help) {
    return GaugeSnapshot.builder().name(PREFIX + name).help(help);
  }

  private static void add(GaugeSnapshot.Builder gauge, int value, String... labels) {
    gauge.dataPoint(
        GaugeSnapshot.GaugeDataPointSnapshot.builder()
            .labels(Labels.of(labels))
            .value(value)
            .build());
  }
}
