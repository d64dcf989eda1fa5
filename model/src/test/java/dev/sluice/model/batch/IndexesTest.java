package dev.sluice.model.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class IndexesTest {

  /** A text, the bound of its indexes, and how the set of them is written. */
  record Case(String text, long below, String want, long size) {}

  static final List<Case> CASES =
      List.of(
          new Case("", 5, "", 0),
          new Case("0", 5, "0", 1),
          new Case("1,2", 5, "1,2", 2),
          new Case("1-2", 5, "1,2", 2),
          new Case("0-2", 5, "0-2", 3),
          new Case("0,1,2,4", 5, "0-2,4", 4),
          new Case("2-9", 5, "2-4", 3),
          new Case("4,7", 5, "4", 1),
          new Case("7-9", 5, "", 0),
          new Case("3,x,1--2,,0", 5, "0,3", 2),
          new Case("-1,5-3", 9, "", 0),
          new Case("0-3,2-5", 9, "0-5", 6));

  @ParameterizedTest
  @FieldSource("CASES")
  void readsAndWrites(Case c) {
    Indexes indexes = Indexes.parse(c.text(), c.below());

    assertThat(indexes.text()).isEqualTo(c.want());
    assertThat(indexes.size()).isEqualTo(c.size());
  }

  @Test
  void agreesWithASetOfNumbers() {
    var random = new SplittableRandom(7);
    for (int round = 0; round < 200; round++) {
      SortedSet<Long> some = draw(random);
      SortedSet<Long> others = draw(random);
      Indexes one = Indexes.of(some);
      Indexes two = Indexes.of(others);
      var both = new TreeSet<>(some);
      both.retainAll(others);
      boolean covers = some.containsAll(others);
      assertThat(one.containsAll(two)).isEqualTo(covers);
      assertThat(one.shared(two)).isEqualTo(Indexes.of(both));
      assertThat(some).allMatch(one::contains).hasSize((int) one.size());
      assertThat(Indexes.parse(one.text(), 100)).isEqualTo(one);
      for (long index = 0; index < 30; index++) {
        assertThat(one.contains(index)).isEqualTo(some.contains(index));
      }
      some.addAll(others);
      assertThat(one.plus(two)).isEqualTo(Indexes.of(some));
    }
  }

  private static SortedSet<Long> draw(SplittableRandom random) {
    var drawn = new TreeSet<Long>();
    for (int i = random.nextInt(20); i > 0; i--) {
      drawn.add(random.nextLong(25));
    }
    return drawn;
  }
}
