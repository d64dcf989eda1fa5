package dev.sluice.simulator.snapshot;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.Timestamps;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Yaml;
import dev.sluice.simulator.scenario.ScenarioStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A cluster at one time, as a scenario whose objects begin as they were: with their uids, times and
 * status. It has what decisions read and nothing else: no Secrets, no ConfigMaps, no environment,
 * no commands.
 *
 * <p>It is bounded: of the jobs that have ended, only the last {@link #MAX_ENDED} are kept, from
 * which run times are learned.
 *
 * @param left how many ended jobs were left out
 */
public record Snapshot(List<ApiObject> objects, Instant taken, int left) {
  /** How many ended jobs a snapshot has at most. */
  public static final int MAX_ENDED = 5000;

  /** What a snapshot has, in the order in which the objects need each other. */
  public static final List<ResourceKind> KINDS =
      List.of(
          Kinds.NAMESPACE,
          Kinds.PRIORITY_CLASS,
          Kinds.WORKLOAD_PRIORITY_CLASS,
          Kinds.RUNTIME_CLASS,
          Kinds.LIMIT_RANGE,
          Kinds.RESOURCE_FLAVOR,
          Kinds.TOPOLOGY,
          Kinds.ADMISSION_CHECK,
          Kinds.COHORT,
          Kinds.CLUSTER_QUEUE,
          Kinds.LOCAL_QUEUE,
          Kinds.NODE,
          Kinds.JOB,
          Kinds.WORKLOAD,
          Kinds.POD);

  private static final String SIMULATED = "kwok.x-k8s.io/node";

  public Snapshot {
    objects = List.copyOf(objects);
  }

  /**
   * A snapshot of a cluster.
   *
   * @param all its objects of the {@link #KINDS}, in this order
   */
  public static Snapshot of(List<ApiObject> all, Instant now) {
    List<ApiObject> ended =
        all.stream()
            .filter(object -> object.isA(Kinds.JOB) && new Job(object).isFinished())
            .sorted(Comparator.comparing(Snapshot::end).reversed())
            .toList();
    var gone = new TreeSet<String>();
    ended.stream().skip(MAX_ENDED).forEach(job -> gone.add(job.uid()));
    var endedUids = new TreeSet<String>();
    ended.forEach(job -> endedUids.add(job.uid()));
    var kept = new ArrayList<ApiObject>();
    for (ApiObject object : all) {
      if (!gone.contains(object.uid()) && !isOver(object, endedUids)) {
        kept.add(step(Redaction.of(object), now));
      }
    }
    return new Snapshot(kept, now, gone.size());
  }

  private static Instant end(ApiObject job) {
    return new Job(job).status().completed().orElse(job.created().orElse(Instant.EPOCH));
  }

  /** What is left of an ended job takes no part in what follows. */
  private static boolean isOver(ApiObject object, Set<String> endedJobs) {
    boolean ofEnded =
        object.controller().map(OwnerReference::uid).filter(endedJobs::contains).isPresent();
    if (object.isA(Kinds.WORKLOAD)) {
      return ofEnded || new Workload(object).finished();
    }
    if (object.isA(Kinds.POD)) {
      boolean uncounted = object.hasFinalizer(Job.TRACKING);
      return ofEnded || (new Pod(object).isTerminal() && !uncounted);
    }
    return false;
  }

  private static ApiObject step(ApiObject object, Instant now) {
    ApiObject simulated =
        object.isA(Kinds.NODE) ? object.withAnnotation(SIMULATED, "fake") : object;
    return simulated
        .withAnnotation(ScenarioStep.DO, ScenarioStep.Deed.RESTORE.word())
        .withAnnotation(ScenarioStep.TAKEN, Timestamps.format(now));
  }

  /** The file. */
  public String yaml() {
    return "# The state of a cluster at %s, for 'sluice what-if' and 'sluice simulate'.\n"
            .formatted(Timestamps.format(taken))
        + String.join("---\n", objects.stream().map(object -> Yaml.write(object.tree())).toList());
  }

  /** When the objects of a scenario were taken; empty if it is not one of a snapshot. */
  public static Optional<Instant> taken(List<ScenarioStep> steps) {
    return steps.stream().flatMap(step -> step.taken().stream()).findFirst();
  }
}
