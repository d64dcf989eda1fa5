package dev.sluice.simulator.run;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.simulator.VirtualWorld;
import dev.sluice.simulator.load.Arrival;
import dev.sluice.simulator.load.TraceJob;
import dev.sluice.simulator.scenario.JobLoad;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Submits the jobs of one load, each at its time, and again after an outage. */
final class Submitter {
  private static final String DURATION = "sluice.dev/duration";

  private final JobLoad load;
  private final Cluster cluster;
  private final Network network;
  private final Optional<TokenBucket> bucket;
  private final RandomGenerator random;
  private final Consumer<String> refusals;
  private final Iterator<Arrival> arrivals;
  private int made;
  private boolean done;

  /**
   * @param bucket the limit of all submissions; empty without a limit
   * @param refusals receives what the API refused, in words
   */
  Submitter(
      JobLoad load,
      Cluster cluster,
      Network network,
      Optional<TokenBucket> bucket,
      RandomGenerator random,
      Consumer<String> refusals) {
    this.load = load;
    this.cluster = cluster;
    this.network = network;
    this.bucket = bucket;
    this.random = random;
    this.refusals = refusals;
    this.arrivals = load.arrivals().draw(random);
  }

  /** Waits for the next arrival; the one after it is drawn when it has come. */
  void next() {
    if (!arrivals.hasNext()) {
      done = true;
      return;
    }
    Arrival arrival = arrivals.next();
    Duration elapsed = Duration.between(VirtualWorld.START, now());
    cluster
        .time()
        .after(
            arrival.at().minus(elapsed),
            () -> {
              submit(job(arrival.what()));
              next();
            });
  }

  /** Whether all its jobs were submitted. */
  boolean isDone() {
    return done;
  }

  private Instant now() {
    return cluster.time().now();
  }

  private void submit(ApiObject job) {
    Duration turn = bucket.map(tokens -> tokens.take(now())).orElse(Duration.ZERO);
    if (turn.isPositive()) {
      cluster.time().after(turn, () -> create(job));
    } else {
      create(job);
    }
  }

  private void create(ApiObject job) {
    if (network.outage().isPositive()) {
      cluster.time().after(network.outage(), () -> submit(job));
      return;
    }
    try {
      cluster.create(Kinds.JOB, job);
    } catch (ApiException refused) {
      refusals.accept("create Job %s: %s".formatted(job.name(), refused.getMessage()));
    }
  }

  /** The next job, as the template and the trace say. */
  ApiObject job(TraceJob what) {
    Tree metadata = load.template().tree("metadata");
    String namespace = metadata.text("namespace");
    ApiObject job =
        ApiObject.of(
            Kinds.JOB, namespace.isEmpty() ? "default" : namespace, load.name() + "-" + made++);
    for (String field : List.of("labels", "annotations")) {
      job = metadata.has(field) ? job.withMetadata(field, metadata.at(field)) : job;
    }
    job = labelled(job, KueueNames.QUEUE_NAME, what.queue());
    job = labelled(job, JobRecord.OWNER, what.owner());
    job = labelled(job, KueueNames.PRIORITY_CLASS, what.priorityClass());
    return job.withSpec(spec(what));
  }

  private static ApiObject labelled(ApiObject job, String label, String value) {
    return value.isEmpty() ? job : job.withLabel(label, value);
  }

  private Tree spec(TraceJob what) {
    Tree spec = load.template().tree("spec");
    if (what.pods().isPresent()) {
      int pods = what.pods().getAsInt();
      spec = spec.with("parallelism", pods).with("completions", pods);
    }
    Optional<Duration> duration = load.duration().map(times -> times.draw(random));
    duration = duration.or(what::duration);
    if (duration.isPresent()) {
      spec = spec.with(annotation(DURATION), GoDuration.format(duration.get()));
    }
    if (load.onceAllReady()) {
      spec = spec.with(annotation(ReadinessController.ENDS_AT), ReadinessController.NEVER);
    }
    return what.requests().isEmpty() ? spec : withRequests(spec, what);
  }

  private static List<String> annotation(String name) {
    return List.of("template", "metadata", "annotations", name);
  }

  /** Those of the trace replace those of the first container. */
  private static Tree withRequests(Tree spec, TraceJob what) {
    var containers = new ArrayList<>(spec.trees("template", "spec", "containers"));
    if (containers.isEmpty()) {
      return spec;
    }
    Tree first = containers.getFirst();
    for (var request : what.requests().entrySet()) {
      first = first.with(List.of("resources", "requests", request.getKey()), request.getValue());
      if (request.getKey().contains("/")) {
        first = first.with(List.of("resources", "limits", request.getKey()), request.getValue());
      }
    }
    containers.set(0, first);
    return spec.with(List.of("template", "spec", "containers"), Items.of(containers));
  }
}
