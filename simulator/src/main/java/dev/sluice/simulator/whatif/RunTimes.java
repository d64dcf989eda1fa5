package dev.sluice.simulator.whatif;

import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.ApiObject;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The run times of jobs, learned from those that have ended: of the same queue and owner if there
 * are enough, else of the same queue, else of all. A job that runs already takes one that is longer
 * than it has run.
 */
public final class RunTimes {
  /** The label of a job that names its owner; the namespace is the owner of a job without it. */
  public static final String OWNER = "sluice.dev/owner";

  /** The run time of a job if none is known. */
  public static final Duration UNKNOWN = Duration.ofHours(1);

  /** With fewer, the next larger group says more. */
  private static final int ENOUGH = 5;

  private static final String ALL = "";

  private final Map<String, List<Duration>> byGroup = new TreeMap<>();

  /** Learns from the jobs among some objects that have succeeded. */
  public static RunTimes of(List<ApiObject> jobs) {
    var learned = new RunTimes();
    for (ApiObject object : jobs) {
      JobStatus status = new Job(object).status();
      if (status.started().isPresent() && status.completed().isPresent()) {
        Duration took = Duration.between(status.started().get(), status.completed().get());
        groups(object)
            .forEach(
                group -> learned.byGroup.computeIfAbsent(group, _ -> new ArrayList<>()).add(took));
      }
    }
    learned.byGroup.values().forEach(times -> times.sort(Comparator.naturalOrder()));
    return learned;
  }

  private static List<String> groups(ApiObject job) {
    String queue = "queue " + job.namespace() + "/" + ManagedJobs.queueName(job);
    String owner = job.label(OWNER).isEmpty() ? job.namespace() : job.label(OWNER);
    return List.of(queue + ", owner " + owner, queue, ALL);
  }

  /** How many jobs it was learned from. */
  public int known() {
    return times(ALL).size();
  }

  /** The median run time that is longer than a job has run already. */
  public Duration median(ApiObject job, Duration elapsed) {
    List<Duration> times = longer(job, elapsed);
    return times.isEmpty() ? beyond(elapsed) : times.get((times.size() - 1) / 2);
  }

  private List<Duration> longer(ApiObject job, Duration elapsed) {
    List<Duration> times =
        groups(job).stream()
            .map(this::times)
            .filter(found -> found.size() >= ENOUGH)
            .findFirst()
            .orElseGet(() -> times(ALL));
    return times.subList(firstLonger(times, elapsed), times.size());
  }

  private List<Duration> times(String group) {
    return byGroup.getOrDefault(group, List.of());
  }

  private static int firstLonger(List<Duration> sorted, Duration elapsed) {
    int found = Collections.binarySearch(sorted, elapsed.plusNanos(1));
    return found < 0 ? -found - 1 : found;
  }

  /** A job that has run longer than all before it: half as long again, or the default. */
  private static Duration beyond(Duration elapsed) {
    Duration half = elapsed.multipliedBy(3).dividedBy(2);
    return elapsed.isZero() || half.compareTo(UNKNOWN) < 0 ? UNKNOWN : half;
  }

  /** What the run times of a job are taken from, in words. */
  public Optional<String> source(ApiObject job) {
    return groups(job).stream()
        .filter(group -> times(group).size() >= ENOUGH)
        .findFirst()
        .map(group ->
            "%d jobs of %s"
                .formatted(times(group).size(), group.equals(ALL) ? "all queues" : group));
  }
}
