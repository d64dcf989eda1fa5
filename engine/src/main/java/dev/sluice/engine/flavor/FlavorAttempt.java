package dev.sluice.engine.flavor;

import dev.sluice.engine.queue.NoFitReason;
import java.util.List;
import java.util.stream.Stream;

/**
 * One flavor that was looked at, and how it did.
 *
 * @param level how far up the tree it would borrow
 * @param reasons what spoke against it; empty if it fits
 */
public record FlavorAttempt(
    String flavor, AssignmentMode mode, int level, List<NoFitReason> reasons) {
  public FlavorAttempt {
    reasons = List.copyOf(reasons);
  }

  /** Whether there is nothing to tell of it: it fits, and nothing is borrowed. */
  boolean isPlain() {
    return mode == AssignmentMode.FIT && level == 0;
  }

  /** What a person is told: {@code flavor(Fit;borrow=1)}, {@code flavor(NoFit;why)}. */
  String text() {
    Stream<String> borrowing = level > 0 ? Stream.of("borrow=" + level) : Stream.empty();
    Stream<String> why = reasons.stream().map(NoFitReason::text).sorted();
    return flavor
        + "("
        + String.join(
            ";", Stream.concat(Stream.of(mode.word()), Stream.concat(borrowing, why)).toList())
        + ")";
  }
}
