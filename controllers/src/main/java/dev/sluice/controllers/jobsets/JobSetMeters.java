package dev.sluice.controllers.jobsets;

import dev.sluice.model.jobset.JobSet;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * The metrics of JobSets, under the names of the JobSet project.
 *
 * <p>Threads: safe.
 */
final class JobSetMeters {
  /** Users choose the names, so the number of label values is limited. */
  private static final int MAX_JOB_SETS = 1000;

  private static final String OTHERS = "other";

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final SortedSet<String> known = new ConcurrentSkipListSet<>();
  private final Counter completed = counter("jobset_completed_total", "JobSets that completed");
  private final Counter failed = counter("jobset_failed_total", "JobSets that failed");

  private Counter counter(String name, String help) {
    return Counter.builder()
        .name(name)
        .help(help)
        .labelNames("jobset_name", "namespace")
        .withoutExemplars()
        .register(registry);
  }

  void finished(JobSet set) {
    boolean shown = known.size() < MAX_JOB_SETS ? add(set) : known.contains(set.object().path());
    (set.holds(JobSet.COMPLETED) ? completed : failed)
        .labelValues(shown ? set.name() : OTHERS, shown ? set.namespace() : OTHERS)
        .inc();
  }

  private boolean add(JobSet set) {
    known.add(set.object().path());
    return true;
  }

  MetricSnapshots collect() {
    return registry.scrape();
  }
}
