package dev.sluice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** How much is kept: neither too many changes nor, of whatever number, too much of them. */
class HistoryTest {
  private static final HistoryLimit LIMIT = new HistoryLimit(4, 1000);

  record Case(String name, List<Integer> bytes, OptionalLong want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("nothing", List.of(), OptionalLong.empty()),
          new Case("as many as are allowed", List.of(1, 1, 1, 1), OptionalLong.empty()),
          new Case("one too many: half of the number", List.of(1, 1, 1, 1, 1), OptionalLong.of(3)),
          new Case("as much as is allowed", List.of(500, 500), OptionalLong.empty()),
          new Case("too much: half of the bytes", List.of(300, 300, 300, 200), OptionalLong.of(2)),
          new Case("one that is too large alone", List.of(1, 1001), OptionalLong.of(2)));

  @ParameterizedTest
  @FieldSource("CASES")
  void overflows(Case c) {
    History history = history(c.bytes());

    assertThat(history.overflow(LIMIT)).isEqualTo(c.want());
    c.want()
        .ifPresent(revision -> {
          history.compact(revision);
          assertThat(history.overflow(LIMIT)).as("after it was forgotten").isEmpty();
          assertThat(history.oldest()).isEqualTo(revision);
        });
  }

  private static History history(List<Integer> sizes) {
    var history = new History(State.EMPTY);
    State state = State.EMPTY;
    for (int bytes : sizes) {
      ObjectKey key = Samples.pod("default", "pod-" + state.revision());
      ApiObject object = Samples.object(key, "value");
      long revision = state.revision() + 1;
      var change = new Change(revision, key, Optional.empty(), Optional.of(object));
      state = state.apply(change);
      history.append(new History.Kept(change, bytes), state);
    }
    return history;
  }
}
