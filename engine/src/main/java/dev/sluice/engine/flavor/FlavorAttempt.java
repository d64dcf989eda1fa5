package dev.sluice.engine.flavor;

import dev.sluice.engine.queue.NoFitReason;
import java.util.List;
import java.util.stream.Stream;

/**
 * A flavor that was tried, and the result.
 *
 * @param level the height in the cohort tree up to which it would borrow
 * @param reasons why it does not fit; empty if it does
 */
public record FlavorAttempt(
    String flavor, AssignmentMode mode, int level, List<NoFitReason> reasons) {
  public FlavorAttempt {
    reasons = List.copyOf(reasons);
  }

  /** Whether it fits without borrowing, so that messages leave it out. */
  boolean isPlain() {
    return mode == AssignmentMode.FIT && level == 0;
  }

  /** The words of messages: {@code flavor(Fit;borrow=1)}, {@code flavor(NoFit;why)}. */
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
