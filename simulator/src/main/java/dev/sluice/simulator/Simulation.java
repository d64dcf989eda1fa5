package dev.sluice.simulator;

import dev.sluice.apiserver.cluster.EmbeddedCluster;
import dev.sluice.apiserver.registry.ServedKind;
import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.apiserver.registry.WriteOptions;
import dev.sluice.controllers.ControllerSet;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.runtime.VirtualTime;
import dev.sluice.store.Store;
import dev.sluice.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Plays a scenario in virtual time: the same API rules and the same controllers as everywhere, over
 * a store in memory, on one thread. The same scenario and seed give the same result, to the byte.
 */
public final class Simulation {
  /** Long before a simulation could end by running out of it, and still a date everybody can read. */
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final Duration LONGEST = Duration.ofDays(3650);

  private Simulation() {}

  /**
   * What became of a scenario.
   *
   * @param decisions one line per decision, in order
   * @param jobs the jobs as they were at the end
   */
  public record Result(List<Tree> decisions, List<JobReport> jobs, Duration elapsed) {
    public Result {
      decisions = List.copyOf(decisions);
      jobs = List.copyOf(jobs);
    }
  }

  /**
   * Plays until nothing is left to happen.
   *
   * @throws dev.sluice.model.ApiException if the API refuses an object of the scenario
   */
  public static Result run(Scenario scenario, long seed) {
    var seeds = new SplittableRandom(seed);
    var time = new VirtualTime(START);
    var decisions = new ArrayList<Tree>();
    try (Store store = Stores.inMemory()) {
      var registry =
          new StoreRegistry(store, time, seeds.split(), ControllerSet.admissionHooks());
      registry.bootstrap();
      KueueDefinitions.all().forEach(definition -> create(registry, definition));
      var cluster = new EmbeddedCluster(registry, store, time, seeds.split());
      var controllers =
          ControllerSet.of(
              ControllerSet.EMBEDDED,
              cluster,
              (at, decision) -> decisions.add(DecisionRecord.of(at, decision)));
      try (var driver = new VirtualDriver(cluster, time, seeds.split(), controllers)) {
        driver.start();
        scenario.objects().forEach(object -> create(registry, object));
        driver.runUntil(START.plus(LONGEST));
      }
      List<JobReport> jobs =
          cluster.list(Kinds.JOB).stream().map(job -> JobReport.of(job, START)).toList();
      return new Result(decisions, jobs, Duration.between(START, time.now()));
    }
  }

  private static void create(StoreRegistry registry, ApiObject object) {
    ServedKind kind =
        registry.kinds().stream()
            .filter(served -> object.isA(served.kind()))
            .findFirst()
            .orElseThrow(() -> new UnknownKindException(object));
    String namespace = object.namespace().isEmpty() ? "default" : object.namespace();
    registry.create(
        kind, kind.kind().namespaced() ? namespace : "", object.tree(), WriteOptions.INTERNAL);
  }
}
