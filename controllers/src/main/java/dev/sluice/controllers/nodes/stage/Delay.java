package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.GoDuration;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The delay before an object enters a stage.
 *
 * <p>The jitter is an upper bound, not an increment: with 1 s and a jitter of 5 s the delay is
 * anything from 1 s to 5 s, and a jitter below the duration is the delay itself.
 */
record Delay(Amount duration, Amount jitter) {
  private static final Optional<Value> NOTHING = Optional.of(new Value.Text(""));
  private static final Duration MAX = Duration.ofDays(36_500);

  /**
   * A length of time.
   *
   * @param fixed the default where the object has none; empty for none
   * @param from the expression that finds it in the object; empty for none
   */
  record Amount(List<Duration> fixed, List<Expression> from) {
    Amount {
      fixed = List.copyOf(fixed);
      from = List.copyOf(from);
    }

    /** Empty also if the object has an empty string, which overrides the fixed value. */
    private Optional<Duration> of(Tree object, Moment moment) {
      Optional<Value> found =
          from.stream().flatMap(each -> each.evaluate(object, moment).stream()).findFirst();
      return found.equals(NOTHING)
          ? Optional.empty()
          : found.flatMap(value -> read(value, moment.now())).or(() -> fixed.stream().findFirst());
    }

    private static Optional<Duration> read(Value found, Instant now) {
      String text = found.asText();
      if (text.startsWith("-")) {
        return GoDuration.parse(text.substring(1)).map(Duration::negated);
      }
      return Timestamps.parse(text)
          .map(end -> Duration.between(now, end))
          .or(() -> GoDuration.parse(text));
    }
  }

  Duration of(Tree object, Moment moment) {
    Optional<Duration> shortest = duration.of(object, moment).map(Delay::bounded);
    Optional<Duration> longest = jitter.of(object, moment).map(Delay::bounded);
    if (shortest.isEmpty() || longest.isEmpty()) {
      return shortest.orElse(Duration.ZERO);
    }
    return between(shortest.get(), longest.get(), moment);
  }

  private static Duration between(Duration shortest, Duration longest, Moment moment) {
    return longest.compareTo(shortest) <= 0
        ? longest
        : shortest.plusNanos(moment.random().nextLong(longest.minus(shortest).toNanos()));
  }

  private static Duration bounded(Duration delay) {
    if (delay.isNegative()) {
      return Duration.ZERO;
    }
    return delay.compareTo(MAX) > 0 ? MAX : delay;
  }
}
