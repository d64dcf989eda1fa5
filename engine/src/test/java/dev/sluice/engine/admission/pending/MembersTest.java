package dev.sluice.engine.admission.pending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.admission.Job;
import dev.sluice.engine.queue.PendingWorkload;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random arrivals, some of them before earlier ones, compared with a sorted set. */
class MembersTest {

  static LongStream seeds() {
    return Seeds.first(20);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void membersStayInOrder(long seed) {
    var random = new SplittableRandom(seed);
    var members = new Members();
    var sorted = new TreeSet<PendingEntry>();
    for (int step = 0; step < 300; step++) {
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> {
          PendingEntry item = entry(step, random.nextInt(4) == 0 ? random.nextInt(300) : step);
          members.add(item);
          sorted.add(item);
        }
        case 3, 4 -> assertThat(members.pollFirst()).isSameAs(sorted.pollFirst());
        default -> {
          if (!sorted.isEmpty()) {
            PendingEntry gone = new ArrayList<>(sorted).get(random.nextInt(sorted.size()));
            members.remove(gone);
            sorted.remove(gone);
          }
        }
      }
      var inOrder = new ArrayList<PendingEntry>();
      members.forEach(inOrder::add);

      assertThat(inOrder).containsExactlyElementsOf(sorted);
      assertThat(members.size()).isEqualTo(sorted.size());
    }
  }

  private static PendingEntry entry(int number, long since) {
    PendingWorkload workload = Job.job("j" + number, "q", 1).since(since).pending();
    return new PendingEntry(
        workload, new EquivalenceGroup(new EquivalenceGroup.Key(workload.equivalenceKey(), "")));
  }
}
