package dev.sluice.simulator.run;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.simulator.VirtualWorld;
import dev.sluice.simulator.load.Times;
import dev.sluice.simulator.load.TraceJob;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.result.RunResult.RunName;
import dev.sluice.simulator.run.ClientCluster.Client;
import dev.sluice.simulator.run.ClientCluster.WriteCount;
import dev.sluice.simulator.scenario.ClientLimit;
import dev.sluice.simulator.scenario.JobLoad;
import dev.sluice.simulator.scenario.Scenario;
import dev.sluice.simulator.scenario.ScenarioSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * One run of one variant of a scenario with one seed. The same scenario, options and seed give the
 * same result, to the byte.
 *
 * <p>Threads: none; it runs on the thread of its caller.
 */
public final class ScenarioRun implements AutoCloseable {
  private static final int STEPS_BETWEEN_REPORTS = 2_000;
  private static final String SUBMITTER = "submitter";
  private static final String START_DELAY = "sluice.dev/start-delay";

  private final Scenario scenario;
  private final ScenarioSpec spec;
  private final RunOptions options;
  private final VirtualWorld world;
  private final Network network;
  private final SortedMap<String, TokenBucket> buckets = new TreeMap<>();
  private final SortedMap<String, WriteCount> writes = new TreeMap<>();
  private final RandomGenerator delays;
  private final Notes notes = new Notes();
  private final NodeRecorder nodes;
  private final JobRecorder jobs;
  private final WorkloadRecorder workloads;
  private final List<Submitter> submitters = new ArrayList<>();
  private final List<String> refusals = new ArrayList<>();
  private Optional<VirtualDriver> driver = Optional.empty();
  private boolean restarts;

  private ScenarioRun(Scenario scenario, long seed, RunOptions options) {
    this.scenario = scenario;
    this.spec = scenario.spec();
    this.options = options;
    this.world =
        new VirtualWorld(seed, options.configuration(), options.groups(), options.scheduling());
    this.network = new Network(world.cluster().time());
    this.delays = world.split();
    this.nodes = new NodeRecorder(world::elapsed);
    this.jobs = new JobRecorder(world.cluster(), world::elapsed, nodes);
    this.workloads = new WorkloadRecorder(world.cluster(), world::elapsed, jobs, notes.decisions);
    for (ClientLimit limit : spec.clients()) {
      var bucket = new TokenBucket(limit.qps(), limit.burst());
      limit.controllers().forEach(group -> buckets.put(group, bucket));
    }
  }

  /** Runs the scenario as it is, with the defaults. */
  public static RunResult of(Scenario scenario, long seed) {
    return of(scenario, "", seed, RunOptions.DEFAULT);
  }

  /**
   * Runs a scenario.
   *
   * @param variant the name of the variant whose changes the scenario has; empty for none
   * @throws dev.sluice.model.ApiException if the API rejects an object of the start
   */
  public static RunResult of(Scenario scenario, String variant, long seed, RunOptions options) {
    try (var run = new ScenarioRun(scenario, seed, options)) {
      return run.run(new RunName(scenario.spec().name(), variant, seed));
    }
  }

  private RunResult run(RunName name) {
    Cluster cluster = world.cluster();
    cluster.watch(Kinds.NODE, nodes::changed);
    cluster.watch(Kinds.JOB, jobs::jobChanged);
    cluster.watch(Kinds.POD, jobs::podChanged);
    cluster.watch(Kinds.WORKLOAD, workloads::changed);
    var stage = new ScenarioRunner(world);
    stage.set(scenario);
    prepare();
    Duration horizon = spec.horizon().orElse(options.horizon());
    play(VirtualWorld.START.plus(min(horizon, options.horizon())));
    refusals.addAll(0, stage.refusals());
    return result(name);
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private void prepare() {
    var faults =
        new FaultInjector(
            world.cluster(),
            network,
            world::create,
            world.split(),
            this::isBusy,
            () -> restarts = true);
    spec.pools().forEach(faults::play);
    ClientCluster submissions = client(SUBMITTER, Optional.empty());
    for (JobLoad load : spec.jobs()) {
      requireValid(load, submitter(load, submissions));
      submitters.add(submitter(load, submissions));
    }
    submitters.forEach(Submitter::next);
    spec.faults().forEach(faults::play);
  }

  private Submitter submitter(JobLoad load, Cluster cluster) {
    Optional<TokenBucket> bucket = Optional.ofNullable(buckets.get(SUBMITTER));
    return new Submitter(load, cluster, network, bucket, world.split(), refusals::add);
  }

  /** A template that is invalid now is always; what it names may still come. */
  private void requireValid(JobLoad load, Submitter trial) {
    try {
      world.tryOut(trial.job(TraceJob.UNKNOWN));
    } catch (ApiException refused) {
      if (refused.is(ApiFailure.Reason.INVALID)) {
        throw new RefusedStep(
            scenario.settingsDocument(),
            "spec.jobs: %s: %s".formatted(load.name(), refused.getMessage()));
      }
    }
  }

  private boolean isBusy() {
    return jobs.ended() < jobs.submitted() || !submitters.stream().allMatch(Submitter::isDone);
  }

  private void play(Instant end) {
    VirtualDriver now = start();
    int steps = 0;
    while (now.step(end)) {
      if (restarts) {
        restarts = false;
        now.close();
        now = start();
      }
      if (++steps % STEPS_BETWEEN_REPORTS == 0) {
        options.progress().reached(world.elapsed(), jobs.submitted(), jobs.ended());
      }
    }
    options.progress().reached(world.elapsed(), jobs.submitted(), jobs.ended());
  }

  private VirtualDriver start() {
    VirtualDriver started = world.driver(world.cluster(), controllers());
    driver = Optional.of(started);
    started.start();
    return started;
  }

  private List<Controller> controllers() {
    var controllers = new ArrayList<Controller>();
    Cluster queueing = limited(Group.QUEUEING.word());
    var cache = new QueueCache(queueing, options.configuration());
    for (Group group : Group.values()) {
      if (options.groups().contains(group)) {
        Cluster cluster = group == Group.QUEUEING ? queueing : limited(group.word());
        controllers.addAll(
            ControllerSet.of(
                Set.of(group),
                cluster,
                cache,
                notes,
                options.configuration(),
                options.scheduling()));
      }
    }
    if (spec.jobs().stream().anyMatch(load -> load.onceAllReady())) {
      var readiness = new ReadinessController(limited("readiness"));
      controllers.add(readiness);
    }
    return controllers;
  }

  private ClientCluster limited(String client) {
    return client(client, Optional.ofNullable(buckets.get(client)));
  }

  private ClientCluster client(String name, Optional<TokenBucket> bucket) {
    WriteCount count = writes.computeIfAbsent(name, _ -> new WriteCount());
    return new ClientCluster(
        world.cluster(),
        new Client(
            count,
            network,
            bucket,
            time -> driver.ifPresent(others -> others.waitUntil(time)),
            newPod()));
  }

  private UnaryOperator<ApiObject> newPod() {
    Optional<Times> delay = spec.podStartDelay();
    return pod ->
        delay
            .map(times -> pod.withAnnotation(START_DELAY, GoDuration.format(times.draw(delays))))
            .orElse(pod);
  }

  private RunResult result(RunName name) {
    var unfinished = new UnfinishedJobs(world.cluster());
    var counts = new TreeMap<String, Long>();
    writes.forEach((client, count) -> counts.put(client, count.count()));
    return new RunResult(
        name,
        VirtualWorld.START,
        world.elapsed(),
        jobs.results(unfinished::reason),
        workloads.evictions(),
        workloads.reservations(),
        nodes.allocations(),
        nodes.capacities(),
        workloads.depths(),
        jobs.schedulingLatencies(),
        jobs.waste(),
        counts,
        notes.decisions,
        refusals,
        notes.broken);
  }

  @Override
  public void close() {
    driver.ifPresent(VirtualDriver::close);
    world.close();
  }

  private static final class Notes implements DecisionLog {
    private final List<Tree> decisions = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();

    @Override
    public void decided(Instant at, AdmissionDecision decision) {
      decisions.add(DecisionRecord.of(at, decision));
    }

    @Override
    public void broken(Instant at, String invariant) {
      Duration elapsed = Duration.between(VirtualWorld.START, at);
      broken.add("%s after %s".formatted(invariant, GoDuration.format(elapsed)));
    }
  }
}
