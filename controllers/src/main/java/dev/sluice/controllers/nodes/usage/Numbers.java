package dev.sluice.controllers.nodes.usage;

import dev.sluice.controllers.nodes.cel.CelFailedException;
import java.math.BigDecimal;
import java.time.Duration;

/** The conversion of results of expressions into numbers. */
final class Numbers {
  private Numbers() {}

  /**
   * @throws CelFailedException if the result is neither a finite number nor convertible to one
   */
  static BigDecimal of(Object result) {
    return switch (result) {
      case Double number when !Double.isFinite(number) ->
          throw new CelFailedException("the expression yields " + number);
      case Double number -> BigDecimal.valueOf(number);
      case Number number -> new BigDecimal(number.toString());
      case Boolean flag -> flag ? BigDecimal.ONE : BigDecimal.ZERO;
      case Duration duration -> BigDecimal.valueOf(duration.toNanos());
      default ->
          throw new CelFailedException("the expression yields %s, no number".formatted(result));
    };
  }
}
