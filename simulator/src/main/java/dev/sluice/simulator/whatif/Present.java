package dev.sluice.simulator.whatif;

import dev.sluice.model.ApiObject;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Kinds;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.batch.Job;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.simulator.scenario.Scenario;
import dev.sluice.simulator.scenario.ScenarioStep;
import dev.sluice.simulator.snapshot.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A snapshot from which a simulation can go on: every job that has not ended gets a run time. A job
 * that says its run time itself keeps it.
 */
public final class Present {
  private static final String DURATION = "sluice.dev/duration";
  private static final List<String> TEMPLATE = List.of("spec", "template");

  /** A choice of a job's run time, which is longer than it has run already. */
  public interface Choice {
    Duration runTime(ApiObject job, Duration elapsed);
  }

  private final Scenario snapshot;
  private final Instant taken;

  /**
   * @throws IllegalArgumentException if the scenario is not a snapshot
   */
  public Present(Scenario snapshot) {
    this.snapshot = snapshot;
    this.taken =
        Snapshot.taken(snapshot.steps())
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "it is no snapshot: make one with 'sluice snapshot -o cluster.yaml'"));
  }

  public RunTimes runTimes() {
    return RunTimes.of(jobs());
  }

  /** The jobs of the snapshot. */
  public List<ApiObject> jobs() {
    return snapshot.steps().stream()
        .map(ScenarioStep::object)
        .filter(object -> object.isA(Kinds.JOB))
        .toList();
  }

  /** The scenario in which every job has a run time. */
  public Scenario with(Choice choice) {
    Map<String, Duration> byJob = new TreeMap<>();
    for (ApiObject object : jobs()) {
      var job = new Job(object);
      boolean says = job.template().has("metadata") && !annotation(job.template()).isEmpty();
      if (!job.isFinished() && !says) {
        byJob.put(object.uid(), choice.runTime(object, elapsed(job)).dividedBy(waves(job)));
      }
    }
    var steps = new ArrayList<ScenarioStep>();
    for (ScenarioStep step : snapshot.steps()) {
      steps.add(step.with(timed(step.object(), byJob)));
    }
    return new Scenario(steps);
  }

  private static String annotation(Tree template) {
    return template.text("metadata", "annotations", DURATION);
  }

  private Duration elapsed(Job job) {
    boolean runs = !job.isSuspended() && job.status().started().isPresent();
    Duration elapsed = runs ? Duration.between(job.status().started().get(), taken) : Duration.ZERO;
    return elapsed.isNegative() ? Duration.ZERO : elapsed;
  }

  /** How many pods of a job run one after the other. */
  private static long waves(Job job) {
    long parallel = Math.max(1, job.parallelism());
    return Math.max(1, Math.ceilDiv(job.completions().orElse(parallel), parallel));
  }

  private static ApiObject timed(ApiObject object, Map<String, Duration> byJob) {
    if (object.isA(Kinds.JOB)) {
      Duration time = byJob.get(object.uid());
      return time == null
          ? object
          : object.with(TEMPLATE, timed(object.spec().tree("template"), time));
    }
    Duration time =
        object.owners().stream()
            .map(OwnerReference::uid)
            .filter(byJob::containsKey)
            .findFirst()
            .map(byJob::get)
            .orElse(null);
    if (time == null) {
      return object;
    }
    if (object.isA(Kinds.POD)) {
      return object.withAnnotation(DURATION, GoDuration.format(time));
    }
    List<Tree> podSets =
        object.spec().trees("podSets").stream()
            .map(podSet -> podSet.with("template", timed(podSet.tree("template"), time)))
            .toList();
    return object.with(List.of("spec", "podSets"), Items.of(podSets));
  }

  private static Tree timed(Tree template, Duration time) {
    return template.with(List.of("metadata", "annotations", DURATION), GoDuration.format(time));
  }
}
