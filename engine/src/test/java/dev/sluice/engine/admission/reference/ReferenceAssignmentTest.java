package dev.sluice.engine.admission.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.flavor.Assignment;
import dev.sluice.engine.flavor.FlavorAssigner;
import dev.sluice.engine.flavor.FlavorCursor;
import dev.sluice.engine.flavor.FlavorRules;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * On random trees with several flavors and resources the engine finds the flavors that the plain
 * search finds, and the same victims for them:
 * docs/specification/flavor-assignment.md#the-search-through-the-flavors.
 */
class ReferenceAssignmentTest {
  private static final int WORKLOADS = 8;
  private static final int WORLDS = 200;

  static LongStream seeds() {
    return Seeds.first(WORLDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void flavorsEqualThoseOfTheReference(long seed) {
    var random = new SplittableRandom(seed);
    var world = new ReferenceWorld(random);
    boolean fungible = random.nextInt(4) > 0;
    var rules = new FlavorRules(fungible, false);
    var assigner = new FlavorAssigner(world.ledger, world.preemption, rules);

    for (int i = 0; i < WORKLOADS; i++) {
      QueueSpec queue = world.queue();
      PendingWorkload workload = world.workload(queue);
      var reference =
          new ReferenceAssignment(world.quota, world.reference, queue, workload, fungible);

      Assignment first = assigner.assign(workload, workload.podSets(), FlavorCursor.NONE);
      assertThat(found(first))
          .as("%s in %s", workload, queue)
          .isEqualTo(reference.assign(FlavorCursor.NONE.tried()));
      assertThat(victims(world, workload, first))
          .as("for %s in %s with %s", workload, queue, first)
          .isEqualTo(spelledVictims(world, workload, first));

      Assignment second = assigner.assign(workload, workload.podSets(), first.tried());
      assertThat(found(second)).as("resumed").isEqualTo(reference.assign(first.tried().tried()));
    }
  }

  @Test
  void randomWorldsHaveEveryKindOfAnswer() {
    var seen = new TreeSet<String>();

    for (long seed = 0; seed < WORLDS; seed++) {
      var world = new ReferenceWorld(new SplittableRandom(seed));
      var rules = new FlavorRules(true, false);
      var assigner = new FlavorAssigner(world.ledger, world.preemption, rules);
      for (int i = 0; i < WORKLOADS; i++) {
        PendingWorkload workload = world.workload(world.queue());
        Assignment found = assigner.assign(workload, workload.podSets(), FlavorCursor.NONE);
        seen.add(found.mode().toString());
        seen.add("needs " + Math.min(2, found.needed().size()));
        victims(world, workload, found)
            .forEach(target ->
                seen.add((world.reference.fair() ? "fair " : "") + target.cause().word()));
      }
    }

    assertThat(seen)
        .contains("NO_FIT", "NO_CANDIDATES", "PREEMPT", "RECLAIM", "FIT", "needs 1", "needs 2")
        .contains("InClusterQueue", "InCohortReclamation", "InCohortReclaimWhileBorrowing")
        .contains("fair InClusterQueue", "fair InCohortReclamation", "fair InCohortFairSharing");
  }

  private static List<Target> victims(
      ReferenceWorld world, PendingWorkload workload, Assignment found) {
    return found.mode().needsPreemption()
        ? world.preemption.targets(workload, found.usage(), found.needed())
        : List.of();
  }

  private static List<Target> spelledVictims(
      ReferenceWorld world, PendingWorkload workload, Assignment found) {
    return found.mode().needsPreemption()
        ? world.reference.targets(workload, found.usage(), found.needed())
        : List.of();
  }

  private static ReferenceAssignment.Found found(Assignment assignment) {
    var tried = new TreeMap<>(assignment.tried().tried());
    return new ReferenceAssignment.Found(
        new ReferenceAssignment.Grade(assignment.mode(), assignment.level()),
        assignment.podSets().stream().map(ReferenceAssignmentTest::found).toList(),
        assignment.usage().amounts(),
        assignment.needed(),
        tried);
  }

  private static String found(Assignment.PodSetFlavors podSet) {
    var flavors = new TreeMap<String, String>();
    podSet
        .choices()
        .forEach((resource, choice) ->
            flavors.put(resource, choice.flavor() + "/" + choice.mode() + "/" + choice.level()));
    return podSet.podSet().name() + " " + flavors;
  }
}
