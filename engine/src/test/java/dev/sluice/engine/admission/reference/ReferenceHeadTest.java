package dev.sluice.engine.admission.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A workload without competitors gets from the whole engine, with all that it remembers and leaves
 * out, what the plain rules give it (docs/specification/admission-cycle.md#nomination): the same
 * flavors and number of pods, or the same victims.
 */
class ReferenceHeadTest {
  private static final int WORKLOADS = 6;
  private static final int WORLDS = 200;

  static LongStream seeds() {
    return Seeds.first(WORLDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void decisionForASingleHeadEqualsTheReference(long seed) {
    var random = new SplittableRandom(seed);
    var world = new ReferenceWorld(random);

    for (int i = 0; i < WORKLOADS; i++) {
      QueueSpec queue = world.queue();
      if (queue.active()) {
        PendingWorkload workload =
            random.nextBoolean() ? world.shrinkable(queue) : world.workload(queue);
        assertThat(decision(world, workload))
            .as("%s in %s", workload, queue)
            .isEqualTo(new ReferenceHead(world, queue, workload).decision());
      }
    }
  }

  @Test
  void randomWorldsHaveEveryKindOfDecision() {
    var seen = new TreeSet<String>();

    for (long seed = 0; seed < WORLDS; seed++) {
      var world = new ReferenceWorld(new SplittableRandom(seed));
      QueueSpec queue = world.queue();
      PendingWorkload workload = world.shrinkable(queue);
      String decision = decision(world, workload);
      boolean fewer = !decision.contains("[" + workload.podSets().getFirst().count() + " ");
      seen.add(
          decision.replaceAll(":.*", "") + (decision.contains("[") && fewer ? " in part" : ""));
    }

    assertThat(seen).containsExactly("admitted", "admitted in part", "evicts", "waits");
  }

  private static String decision(ReferenceWorld world, PendingWorkload workload) {
    AdmissionQueues engine = world.engine();
    engine.workloadPending(workload);
    List<AdmissionDecision> decisions = engine.decide(AdmissionScene.NOW, Integer.MAX_VALUE);
    return decisions.isEmpty() ? "waits" : text(decisions.getFirst());
  }

  private static String text(AdmissionDecision decision) {
    return switch (decision) {
      case AdmissionDecision.Admit admit ->
          "admitted: "
              + admit.admission().assignments().stream()
                  .map(podSet -> podSet.count() + " " + podSet.podSet() + " " + podSet.flavors())
                  .toList();
      case AdmissionDecision.Preempt preempt ->
          preempt.victims().stream()
              .map(target -> target.victim().name() + " (" + target.cause().word() + ")")
              .collect(Collectors.joining(", ", "evicts: ", ""));
      case AdmissionDecision.Pending _ -> "waits";
    };
  }
}
