package dev.sluice.simulator;

import dev.sluice.apiserver.cluster.EmbeddedCluster;
import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.apiserver.registry.WriteOptions;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.apiserver.registry.kind.VersionConverter;
import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.jobset.JobSetDefinitions;
import dev.sluice.model.kueue.KueueConversion;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.model.kwok.KwokDefinitions;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.runtime.VirtualTime;
import dev.sluice.simulator.snapshot.TimeShift;
import dev.sluice.store.Store;
import dev.sluice.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A cluster in virtual time: the same API rules as everywhere, over a store in memory. Everything
 * that happens in it follows from its seed and from the calls of its owner.
 *
 * <p>Threads: none; it belongs to the thread that created it.
 */
public final class VirtualWorld implements AutoCloseable {
  private static final VersionConverter KUEUE_VERSIONS =
      VersionConverter.ofGroup(Kinds.WORKLOAD.group(), KueueConversion::convert);

  /** Any date would do; this one is easy to read. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** The longest duration of a run that never ends by itself. */
  public static final Duration LONGEST = Duration.ofDays(3650);

  private static final Instant END = START.plus(LONGEST);

  private final Configuration configuration;
  private final Set<Group> groups;
  private final SchedulerConfiguration scheduling;
  private final SplittableRandom seeds;
  private final VirtualTime time = new VirtualTime(START);
  private final Store store = Stores.inMemory();
  private final StoreRegistry registry;
  private final EmbeddedCluster cluster;

  /** A cluster with the defaults of simulations. */
  public VirtualWorld(long seed, Configuration configuration) {
    this(seed, configuration, ControllerSet.SIMULATED, SchedulerConfiguration.DEFAULT);
  }

  /**
   * A cluster with only the namespaces and kinds that every cluster has.
   *
   * @param groups the controllers that run
   * @param scheduling how pods are scheduled
   */
  public VirtualWorld(
      long seed,
      Configuration configuration,
      Set<Group> groups,
      SchedulerConfiguration scheduling) {
    this.configuration = configuration;
    this.groups = groups;
    this.scheduling = scheduling;
    this.seeds = new SplittableRandom(seed);
    this.registry =
        new StoreRegistry(store, time, seeds.split(), List.of(), List.of(KUEUE_VERSIONS));
    this.cluster = new EmbeddedCluster(registry, store, time, seeds.split());
    registry.addHooks(ControllerSet.admissionHooks(groups, cluster, configuration));
    registry.bootstrap();
    KueueDefinitions.all().forEach(this::create);
    KwokDefinitions.all().forEach(this::create);
    JobSetDefinitions.all().forEach(this::create);
  }

  public Cluster cluster() {
    return cluster;
  }

  /** Creates an object as kubectl would, in the namespace default if it names none. */
  public void create(ApiObject object) {
    ServedKind kind = served(object);
    String namespace = object.namespace().isEmpty() ? "default" : object.namespace();
    registry.create(
        kind, kind.kind().namespaced() ? namespace : "", object.tree(), WriteOptions.INTERNAL);
  }

  /**
   * Puts an object there as it was in another cluster, past all rules of the API: with its uid, its
   * status, and its times as long before the start as they were before {@code taken}.
   */
  public void restore(ApiObject object, Instant taken) {
    ObjectKey key = object.key(kind(object));
    ApiObject moved = TimeShift.of(object, Duration.between(taken, START));
    long revision = store.get(key).map(known -> Long.parseLong(known.resourceVersion())).orElse(0L);
    store.put(key, revision, moved);
  }

  /**
   * Checks whether an object could be created now, and creates nothing.
   *
   * @throws dev.sluice.model.ApiException if the API rejects it
   */
  public void tryOut(ApiObject object) {
    ServedKind kind = served(object);
    WriteOptions usual = WriteOptions.INTERNAL;
    registry.create(
        kind,
        object.namespace(),
        object.tree(),
        new WriteOptions(true, usual.fieldValidation(), usual.warnings(), usual.manager()));
  }

  /** The kind of an object of a scenario. */
  public ResourceKind kind(ApiObject object) {
    return served(object).kind();
  }

  private ServedKind served(ApiObject object) {
    return registry.kinds().stream()
        .filter(served -> object.isA(served.kind()))
        .findFirst()
        .orElseThrow(() ->
            new UnknownKindException(
                object, registry.kinds().stream().map(served -> served.kind().kind()).toList()));
  }

  /** Runs new controllers until nothing is left to happen. */
  public void run(DecisionLog log) {
    runUntil(log, END);
  }

  /** Runs new controllers for some virtual time. */
  public void runFor(DecisionLog log, Duration duration) {
    runUntil(log, time.now().plus(duration));
  }

  private void runUntil(DecisionLog log, Instant end) {
    try (var driver = driver(log)) {
      driver.start();
      driver.runUntil(end);
    }
  }

  /**
   * Runs new controllers for a number of steps and then stops them at once.
   *
   * @return whether nothing was left to happen
   */
  public boolean run(DecisionLog log, int steps) {
    try (var driver = driver(log)) {
      driver.start();
      for (int step = 0; step < steps; step++) {
        if (!driver.step(END)) {
          return true;
        }
      }
      return false;
    }
  }

  private VirtualDriver driver(DecisionLog log) {
    var book = new QueueCache(cluster, configuration);
    return driver(cluster, ControllerSet.of(groups, cluster, book, log, configuration, scheduling));
  }

  /** A driver of controllers that read and write through {@code sight}. */
  public VirtualDriver driver(Cluster sight, List<Controller> controllers) {
    return new VirtualDriver(sight, time, seeds.split(), controllers);
  }

  /** A source of randomness of its own, which follows from the seed and the calls so far. */
  public RandomGenerator split() {
    return seeds.split();
  }

  /** The virtual time that has passed. */
  public Duration elapsed() {
    return Duration.between(START, time.now());
  }

  @Override
  public void close() {
    registry.close();
    store.close();
  }
}
