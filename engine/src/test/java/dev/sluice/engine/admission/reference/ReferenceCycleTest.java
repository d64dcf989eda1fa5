package dev.sluice.engine.admission.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where several heads want quota that others hold, the engine admits and preempts the same
 * workloads as plain cycles do, in their order
 * (docs/specification/admission-cycle.md#processing-an-entry): on random trees, by priority and by
 * shares, some of the heads with fewer pods than they ask for. Between two cycles the victims
 * leave.
 */
class ReferenceCycleTest {
  private static final int WORLDS = 600;
  private static final int CYCLES = 4;

  static LongStream seeds() {
    return Seeds.first(WORLDS);
  }

  @ParameterizedTest(name = "seed {0}, with prechecks: {1}")
  @MethodSource("seedsTwice")
  void decisionsEqualThoseOfReferenceCycles(long seed, boolean prechecks) {
    var world = new ReferenceWorld(new SplittableRandom(seed));

    for (List<PendingWorkload> heads : headsByRoot(world)) {
      AdmissionQueues engine = world.engine(prechecks);
      heads.forEach(engine::workloadPending);
      for (ReferenceCycle cycle : cycles(world, heads)) {
        assertThat(nextCycle(engine)).as("for %s", heads).isEqualTo(cycle.decisions());
        cycle.victims().forEach(victim -> engine.quotaReleased(victim.path()));
      }
    }
  }

  static Stream<Arguments> seedsTwice() {
    return seeds()
        .boxed()
        .flatMap(seed -> Stream.of(arguments(seed, false), arguments(seed, true)));
  }

  /**
   * One cycle after the other, each without the victims of the one before, as long as something is
   * decided: else the engine goes on until something is. A workload that was inadmissible and still
   * is reserves nothing in the engine's later cycles, so it ends there too.
   */
  private static List<ReferenceCycle> cycles(ReferenceWorld world, List<PendingWorkload> heads) {
    var cycles = new ArrayList<ReferenceCycle>();
    var left = new ArrayList<>(heads);
    while (cycles.size() < CYCLES) {
      var cycle = new ReferenceCycle(world, left);
      if (cycle.decisions().isEmpty() || (!cycles.isEmpty() && cycle.reservesWithoutVictims())) {
        break;
      }
      cycles.add(cycle);
      if (cycle.victims().isEmpty()) {
        break;
      }
      cycle.victims().forEach(world.reference::release);
      left.removeAll(cycle.admitted());
    }
    return cycles;
  }

  @Test
  void randomWorldsHaveCompetingHeads() {
    var seen = new TreeSet<String>();

    for (long seed = 0; seed < WORLDS; seed++) {
      var world = new ReferenceWorld(new SplittableRandom(seed));
      String rules = world.rules.fair() ? "fair: " : "classical: ";
      for (List<PendingWorkload> heads : headsByRoot(world)) {
        List<ReferenceCycle> cycles = cycles(world, heads);
        cycles.forEach(cycle -> notable(cycle).forEach(what -> seen.add(rules + what)));
        seen.add(rules + cycles.size() + " cycles");
      }
    }

    for (String rules : List.of("classical: ", "fair: ")) {
      assertThat(seen)
          .contains(rules + "1 evict", rules + "2 evict", rules + "another is admitted")
          .contains(rules + "overlap", rules + "fewer pods", rules + "3 cycles");
    }
  }

  private static List<String> notable(ReferenceCycle cycle) {
    var seen = new ArrayList<String>();
    List<String> decisions = cycle.decisions();
    long evicting = decisions.stream().filter(decision -> decision.contains(" evicts: ")).count();
    if (evicting > 0) {
      seen.add(Math.min(evicting, 2) + " evict");
      seen.add("another is " + (evicting < decisions.size() ? "admitted" : "not"));
    }
    if (cycle.overlaps() > 0) {
      seen.add("overlap");
    }
    if (cycle.shrunk() > 0) {
      seen.add("fewer pods");
    }
    return seen;
  }

  /** One workload in each queue that admits any, together with those it shares quota with. */
  private static Collection<List<PendingWorkload>> headsByRoot(ReferenceWorld world) {
    var heads = new LinkedHashMap<ReferenceQuota.Node, List<PendingWorkload>>();
    for (QueueSpec queue : world.queues) {
      if (queue.active()) {
        heads
            .computeIfAbsent(
                world.quota.root(ReferenceQuota.queue(queue.name())), _ -> new ArrayList<>())
            .add(world.head("new-" + queue.name(), queue));
      }
    }
    return heads.values();
  }

  private static List<String> nextCycle(AdmissionQueues engine) {
    return engine.decide(AdmissionScene.NOW, 1).stream()
        .filter(decision -> !(decision instanceof AdmissionDecision.Pending))
        .map(ReferenceCycleTest::text)
        .toList();
  }

  private static String text(AdmissionDecision decision) {
    String name = decision.workload().name();
    return switch (decision) {
      case AdmissionDecision.Admit admit -> name + " " + admit.reservation().usage().amounts();
      case AdmissionDecision.Preempt preempt ->
          preempt.victims().stream()
              .map(target -> target.victim().name() + " (" + target.cause().word() + ")")
              .collect(Collectors.joining(", ", name + " evicts: ", ""));
      case AdmissionDecision.Pending _ -> name + " waits";
    };
  }
}
