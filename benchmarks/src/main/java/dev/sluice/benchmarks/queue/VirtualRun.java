package dev.sluice.benchmarks.queue;

import dev.sluice.benchmarks.world.FailedBenchmark;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.model.ApiObject;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.simulator.VirtualWorld;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A run of a shape in virtual time, with the same controllers and by the same rules as {@link
 * LoadRun}. Nothing takes time there but the workloads themselves, so this is the time that the
 * policy alone takes: the order of admission, and the work that is lost by preemption.
 *
 * <p>Threads: none.
 */
final class VirtualRun {
  private static final long SEED = 1;

  private final VirtualWorld world;
  private final Map<String, Life> lives = new LinkedHashMap<>();
  private Duration lastEnd = Duration.ZERO;
  private int left;

  private VirtualRun(VirtualWorld world, Shape shape) {
    this.world = world;
    Arrival.of(shape).forEach(arrival -> lives.put(arrival.name(), new Life(arrival)));
    this.left = lives.size();
  }

  /** The time that a shape takes, from the first creation to the last end. */
  static Duration play(Shape shape) {
    try (var world =
        new VirtualWorld(
            SEED, Configuration.DEFAULT, Set.of(Group.QUEUEING), SchedulerConfiguration.DEFAULT)) {
      LoadObjects.queues(shape).forEach(object -> world.create(new ApiObject(object)));
      return new VirtualRun(world, shape).play(shape.timeout());
    }
  }

  private Duration play(Duration timeout) {
    for (Life life : lives.values()) {
      after(
          life.arrival().after(),
          () -> world.create(new ApiObject(LoadObjects.workload(life.arrival()))));
    }
    try (var _ = world.cluster().watch(Kinds.WORKLOAD, this::observe)) {
      world.runFor(DecisionLog.NONE, timeout);
    }
    if (left > 0) {
      throw new FailedBenchmark(
          "%d workloads were not finished after %s of virtual time"
              .formatted(left, GoDuration.format(timeout)));
    }
    return lastEnd;
  }

  private void after(Duration delay, Runnable action) {
    world.cluster().time().after(delay, action);
  }

  private void observe(ObjectEvent event) {
    Life life = lives.get(event.object().name());
    if (life == null) {
      return;
    }
    Seen before = life.seen();
    life.see(Seen.of(event.object().tree()), world.elapsed().toNanos());
    Seen seen = life.seen();
    if (seen.finished() && !before.finished()) {
      left--;
      lastEnd = world.elapsed();
    } else if (seen.runs() && !before.runs()) {
      int admission = life.admissions();
      after(life.arrival().kind().runtime(), () -> finish(life, admission));
    }
  }

  private void finish(Life life, int admission) {
    if (!life.seen().runs() || life.admissions() != admission) {
      return; // it was preempted meanwhile
    }
    ObjectKey key = Kinds.WORKLOAD.key(LoadObjects.NAMESPACE, life.arrival().name());
    ApiObject workload = world.cluster().get(key).orElseThrow();
    Tree ended = Seen.END.in(workload.status(), world.cluster().time().now());
    world.cluster().patchStatus(Kinds.WORKLOAD, workload, ended);
  }
}
