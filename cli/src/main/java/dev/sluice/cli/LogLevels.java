package dev.sluice.cli;

import ch.qos.logback.classic.Level;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The names of log levels on the command line, the most severe first. */
final class LogLevels implements ITypeConverter<Level>, Iterable<String> {
  private static final List<String> NAMES = List.of("error", "warn", "info", "debug", "trace");

  /**
   * The level of a name, in upper or lower case.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Level parse(String name) {
    if (!NAMES.contains(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "'%s' is none of: %s".formatted(name, String.join(", ", NAMES)));
    }
    return Level.valueOf(name);
  }

  @Override
  public Level convert(String name) {
    try {
      return parse(name);
    } catch (IllegalArgumentException wrong) {
      throw new TypeConversionException(String.valueOf(wrong.getMessage()));
    }
  }

  @Override
  public Iterator<String> iterator() {
    return NAMES.iterator();
  }
}
