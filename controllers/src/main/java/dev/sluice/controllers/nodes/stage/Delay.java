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
 * How long an object stays as it is before a stage takes it on.
 *
 * <p>The jitter is an upper bound, not an increment: with 1 s and a jitter of 5 s it is anything
 * from 1 s to 5 s, and a jitter below the duration is the delay itself.
 */
record Delay(Amount duration, Amount jitter) {
  private static final Optional<Value> NOTHING = Optional.of(new Value.Text(""));
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /**
   * A length of time.
   *
   * @param fixed what counts where the object says nothing; empty for nothing at all
   * @param from where in the object to look; empty for nowhere
   */
  record Amount(List<Duration> fixed, List<Expression> from) {
    Amount {
      fixed = List.copyOf(fixed);
      from = List.copyOf(from);
    }

    /** Empty also where the object says an empty text, which takes the place of what is fixed. */
    private Optional<Duration> of(Tree object, Moment moment) {
      Optional<Value> said =
          from.stream().flatMap(each -> each.evaluate(object, moment).stream()).findFirst();
      return said.equals(NOTHING)
          ? Optional.empty()
          : said.flatMap(value -> read(value, moment.now())).or(() -> fixed.stream().findFirst());
    }

    private static Optional<Duration> read(Value said, Instant now) {
      String text = said.asText();
      if (text.startsWith("-")) {
        return GoDuration.parse(text.substring(1)).map(Duration::negated);
      }
      return Timestamps.parse(text)
          .map(end -> Duration.between(now, end))
          .or(() -> GoDuration.parse(text));
    }
  }

  Duration of(Tree object, Moment moment) {
    Optional<Duration> least = duration.of(object, moment).map(Delay::bounded);
    Optional<Duration> most = jitter.of(object, moment).map(Delay::bounded);
    if (least.isEmpty() || most.isEmpty()) {
      return least.orElse(Duration.ZERO);
    }
    return between(least.get(), most.get(), moment);
  }

  private static Duration between(Duration least, Duration most, Moment moment) {
    return most.compareTo(least) <= 0
        ? most
        : least.plusNanos(moment.random().nextLong(most.minus(least).toNanos()));
  }

  private static Duration bounded(Duration delay) {
    if (delay.isNegative()) {
      return Duration.ZERO;
    }
    return delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
  }
}
