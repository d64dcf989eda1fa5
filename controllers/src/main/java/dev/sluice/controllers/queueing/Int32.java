package dev.sluice.controllers.queueing;

import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Whole numbers in labels and annotations, as wide as the fields of the API they end up in. Who
 * judges them at the door and who reads them later must see the same numbers.
 */
public final class Int32 {
  private static final Pattern GRAMMAR = Pattern.compile("[+-]?[0-9]{1,18}");

  private Int32() {}

  /** The number that a text names, if it names one of 32 bits. */
  public static OptionalInt parse(String text) {
    if (!GRAMMAR.matcher(text).matches()) {
      return OptionalInt.empty();
    }
    long number = Long.parseLong(text);
    return number == (int) number ? OptionalInt.of((int) number) : OptionalInt.empty();
  }

  /** The number that a text names, if it is one above zero. */
  public static OptionalInt positive(String text) {
    OptionalInt number = parse(text);
    return number.orElse(0) > 0 ? number : OptionalInt.empty();
  }
}
