package dev.sluice.cli;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The errors for wrong values of flags, which name the flag, the value and what is allowed. */
final class Flag {
  private static final int MAX_PORT = 65_535;

  private Flag() {}

  /** The value as another room parses it, whose error does not know the flag. */
  static <T> T read(String flag, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException wrong) {
      throw UserError.usage(flag + ": " + wrong.getMessage());
    }
  }

  /** The map of several NAME=VALUE; a name that is given twice is an error. */
  static SortedMap<String, String> pairs(List<String> words) {
    var pairs = new TreeMap<String, String>();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals <= 0) {
        throw new IllegalArgumentException("\"%s\" is not NAME=VALUE".formatted(word));
      }
      String name = word.substring(0, equals);
      if (pairs.put(name, word.substring(equals + 1)) != null) {
        throw new IllegalArgumentException("\"%s\" is given twice".formatted(name));
      }
    }
    return pairs;
  }

  /** The port, if it is valid; 0 is valid and takes any free port. */
  static int requirePort(String flag, int port) {
    if (port < 0 || port > MAX_PORT) {
      throw UserError.usage(
          "%s %d is none: it must be from 0 to %d".formatted(flag, port, MAX_PORT));
    }
    return port;
  }
}
