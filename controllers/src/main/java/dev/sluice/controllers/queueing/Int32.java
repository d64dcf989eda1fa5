package dev.sluice.controllers.queueing;

import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Integers in labels and annotations, as wide as the API fields that they end up in. Validation and
 * the controllers read them here, so that both see the same number.
 */
public final class Int32 {
  private static final Pattern GRAMMAR = Pattern.compile("[+-]?[0-9]{1,18}");

  private Int32() {}

  /** The number that a string denotes, if it fits 32 bits. */
  public static OptionalInt parse(String text) {
    if (!GRAMMAR.matcher(text).matches()) {
      return OptionalInt.empty();
    }
    long number = Long.parseLong(text);
    return number == (int) number ? OptionalInt.of((int) number) : OptionalInt.empty();
  }

  /** The number that a string denotes, if it is positive. */
  public static OptionalInt positive(String text) {
    OptionalInt number = parse(text);
    return number.orElse(0) > 0 ? number : OptionalInt.empty();
  }
}
