package dev.sluice.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where several heads want quota that others hold, the engine's first round admits and evicts whom
 * the specification's cycle does, in its order: on random trees, by priority and by shares.
 */
class SpelledCycleTest {
  private static final int WORLDS = 600;

  static LongStream seeds() {
    return Seeds.first(WORLDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void severalHeadsGetWhatTheCycleGivesThem(long seed) {
    var world = new SpelledWorld(new SplittableRandom(seed));

    for (List<PendingWorkload> heads : headsByRoot(world)) {
      List<String> want = new SpelledCycle(world).decisions(heads);
      if (!want.isEmpty()) { // else the engine goes on until something is decided
        assertThat(firstRound(world.engine(false), heads)).as("for %s", heads).isEqualTo(want);
        assertThat(firstRound(world.engine(true), heads)).as("for %s", heads).isEqualTo(want);
      }
    }
  }

  @Test
  void theRandomWorldsHaveHeadsThatMeet() {
    var seen = new TreeSet<String>();

    for (long seed = 0; seed < WORLDS; seed++) {
      var world = new SpelledWorld(new SplittableRandom(seed));
      String rules = world.rules.fair() ? "fair: " : "classical: ";
      for (List<PendingWorkload> heads : headsByRoot(world)) {
        var cycle = new SpelledCycle(world);
        List<String> decisions = cycle.decisions(heads);
        long evicting = decisions.stream().filter(one -> one.contains(" evicts: ")).count();
        if (evicting > 0) {
          seen.add(rules + Math.min(evicting, 2) + " evict");
          seen.add(rules + "another is " + (evicting < decisions.size() ? "admitted" : "not"));
        }
        if (cycle.overlaps() > 0) {
          seen.add(rules + "overlap");
        }
      }
    }

    assertThat(seen)
        .contains("classical: 1 evict", "classical: 2 evict", "classical: overlap")
        .contains("fair: 1 evict", "fair: 2 evict", "fair: overlap")
        .contains("classical: another is admitted", "fair: another is admitted");
  }

  /** One workload in each queue that admits any, together with those it shares quota with. */
  private static Collection<List<PendingWorkload>> headsByRoot(SpelledWorld world) {
    var heads = new LinkedHashMap<SpelledQuota.Node, List<PendingWorkload>>();
    for (QueueSpec queue : world.queues) {
      if (queue.active()) {
        heads
            .computeIfAbsent(
                world.quota.root(SpelledQuota.queue(queue.name())), _ -> new ArrayList<>())
            .add(world.workload("new-" + queue.name(), queue));
      }
    }
    return heads.values();
  }

  private static List<String> firstRound(AdmissionQueues engine, List<PendingWorkload> heads) {
    heads.forEach(engine::wait);
    return engine.decide(Scene.NOW, 1).stream()
        .filter(decision -> !(decision instanceof Decision.Wait))
        .map(SpelledCycleTest::told)
        .toList();
  }

  private static String told(Decision decision) {
    String name = decision.workload().name();
    return switch (decision) {
      case Decision.Admit admit -> name + " " + admit.reservation().usage().amounts();
      case Decision.Preempt preempt ->
          preempt.victims().stream()
              .map(one -> one.victim().name() + " (" + one.cause().word() + ")")
              .collect(Collectors.joining(", ", name + " evicts: ", ""));
      case Decision.Wait _ -> name + " waits";
    };
  }
}
