package dev.sluice.controllers.nodes.local;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of environment variables, which a container may write to a volume for others. Each line is
 * {@code NAME='value'}; characters between the quotes have no special meaning, so a value may have
 * several lines. Empty lines, and those that begin with {@code #}, are skipped.
 */
final class EnvironmentFile {
  // Without backtracking, so that no file can keep it busy for long.
  private static final Pattern VARIABLE =
      Pattern.compile(
          "[ \\t]*+([^\\s='#][^\\s=']*+)[ \\t]*+=[ \\t]*+'([^']*+)'[ \\t\\r]*+(?:\\n|\\z)");

  private static final Pattern NOTHING = Pattern.compile("[ \\t\\r]*+(?:#[^\\n]*+)?+(?:\\n|\\z)");

  private EnvironmentFile() {}

  /**
   * The value of a variable, if the file has one.
   *
   * @throws MissingException if a line before it cannot be parsed
   */
  static Optional<String> value(String text, String key) throws MissingException {
    Matcher variable = VARIABLE.matcher(text);
    Matcher nothing = NOTHING.matcher(text);
    int at = 0;
    while (at < text.length()) {
      if (variable.region(at, text.length()).lookingAt()) {
        if (key.equals(variable.group(1))) {
          return Optional.of(text.substring(variable.start(2), variable.end(2)));
        }
        at = variable.end();
      } else if (nothing.region(at, text.length()).lookingAt()) {
        at = nothing.end();
      } else {
        long line = text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
        throw new MissingException(
            "line %d of the file with key %s is not of the form NAME='value'".formatted(line, key));
      }
    }
    return Optional.empty();
  }
}
