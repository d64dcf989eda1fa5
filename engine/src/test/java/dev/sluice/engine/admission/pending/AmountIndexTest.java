package dev.sluice.engine.admission.pending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.admission.Job;
import dev.sluice.engine.queue.PendingWorkload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random amounts, compared with a look at all of them. */
class AmountIndexTest {

  static LongStream seeds() {
    return Seeds.first(20);
  }

  private record Entry(long amount, EquivalenceGroup group) {}

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void firstGroupWithinAnAmountIsFound(long seed) {
    var random = new SplittableRandom(seed);
    var index = new AmountIndex();
    var entries = new ArrayList<Entry>();
    for (int step = 0; step < 1200; step++) {
      if (entries.isEmpty() || random.nextInt(3) < 2) {
        var entry = new Entry(random.nextInt(20), group(step, random.nextInt(40)));
        entries.add(entry);
        index.add(entry.amount(), entry.group());
      } else {
        Entry gone = entries.remove(random.nextInt(entries.size()));
        index.remove(gone.amount(), gone.group());
      }
      long most = random.nextInt(22) - 1L;

      assertThat(Optional.ofNullable(index.first(most))).isEqualTo(first(entries, most));
      assertThat(index.isEmpty()).isEqualTo(entries.isEmpty());
      assertThat(
              Optional.ofNullable(index.frontier().within(most))
                  .map(found -> found.entry().group()))
          .isEqualTo(first(entries, most));
      assertThat(index.least()).isEqualTo(least(entries));
    }
  }

  private static long least(List<Entry> entries) {
    return entries.stream().mapToLong(Entry::amount).min().orElse(Long.MAX_VALUE);
  }

  private static Optional<EquivalenceGroup> first(List<Entry> entries, long most) {
    return entries.stream()
        .filter(entry -> entry.amount() <= most)
        .map(Entry::group)
        .min(Comparator.naturalOrder());
  }

  private static EquivalenceGroup group(int number, long since) {
    PendingWorkload workload = Job.job("j" + number, "q", 1).since(since).pending();
    var group = new EquivalenceGroup(new EquivalenceGroup.Key(workload.equivalenceKey(), ""));
    group.add(new PendingEntry(workload, group));
    return group;
  }
}
