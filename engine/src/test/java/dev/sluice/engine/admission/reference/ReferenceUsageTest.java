package dev.sluice.engine.admission.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where the earlier usage of LocalQueues counts, the engine preempts the same workloads as the
 * plain search, in the own queue and in one other:
 * docs/specification/preemption.md#candidates-in-order.
 */
class ReferenceUsageTest {
  private static final int WORLDS = 300;
  private static final int REQUESTS = 12;

  /** The first two LocalQueues used as much as each other, and less than the others. */
  private static final Comparator<String> BY_USAGE =
      Comparator.comparingInt(path -> Math.max(1, path.charAt(path.length() - 1) - '0'));

  static LongStream seeds() {
    return Seeds.first(WORLDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void victimsByUsageEqualThoseOfTheReference(long seed) {
    var random = new SplittableRandom(seed);
    var world = new ReferenceWorld(random, 2, BY_USAGE);

    for (int i = 0; i < REQUESTS; i++) {
      QueueSpec queue = world.queue();
      PendingWorkload workload = world.workload(queue);
      Usage request = world.usage().plus(world.usage());
      Set<FlavorResource> needed = request.amounts().keySet();

      List<Target> found = world.preemption.targets(workload, request, needed);

      assertThat(found)
          .as("%s asks for %s in %s", workload, request, queue)
          .isEqualTo(world.reference.targets(workload, request, needed));
    }
  }

  @Test
  void randomWorldsHaveVictimsByUsage() {
    var seen = new TreeSet<String>();

    for (long seed = 0; seed < WORLDS; seed++) {
      var world = new ReferenceWorld(new SplittableRandom(seed), 2, BY_USAGE);
      PendingWorkload workload = world.workload(world.queue());
      Usage request = world.usage();
      List<Target> targets =
          world.preemption.targets(workload, request, request.amounts().keySet());
      for (Target target : targets) {
        boolean sparesLower =
            world.ledger.reservations(target.victim().clusterQueue()).stream()
                .anyMatch(candidate ->
                    candidate.priority() < target.victim().priority()
                        && targets.stream().noneMatch(gone -> gone.victim().equals(candidate)));
        seen.add(target.cause().word() + (sparesLower ? " spares a lower priority" : ""));
      }
    }

    assertThat(seen)
        .contains(
            "InClusterQueue spares a lower priority",
            "InCohortReclamation spares a lower priority");
  }
}
