package dev.sluice.engine.admission.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a workload asks for of several flavors and resources, and wherever it does not fit, the
 * engine preempts the same workloads as the plain search, in that order and by that right:
 * docs/specification/preemption.md.
 */
class ReferencePreemptionTest {
  private static final int REQUESTS = 20;

  static LongStream seeds() {
    return Seeds.first(300);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void victimsEqualThoseOfTheReference(long seed) {
    var random = new SplittableRandom(seed);
    var world = new ReferenceWorld(random);

    for (int i = 0; i < REQUESTS; i++) {
      QueueSpec queue = world.queue();
      PendingWorkload workload = world.workload(queue);
      Usage request = world.usage().plus(world.usage());
      Set<FlavorResource> needed = some(request, random);
      if (needed.isEmpty()) {
        continue;
      }

      List<Target> found = world.preemption.targets(workload, request, needed);

      assertThat(found)
          .as("%s asks for %s in %s", workload, request, queue)
          .isEqualTo(world.reference.targets(workload, request, needed));
    }
  }

  private static Set<FlavorResource> some(Usage request, SplittableRandom random) {
    var some = new TreeSet<>(request.amounts().keySet());
    some.removeIf(_ -> random.nextInt(4) == 0);
    return some;
  }
}
