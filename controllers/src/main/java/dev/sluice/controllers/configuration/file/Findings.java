package dev.sluice.controllers.configuration.file;

import java.util.ArrayList;
import java.util.List;

/**
 * The problems and warnings of a configuration file: problems make it invalid, warnings name fields
 * without effect. At most a hundred of each are kept.
 */
public final class Findings {
  private static final int MAX_LINES = 100;
  private static final int MAX_LENGTH = 1000;

  private final Lines problems = new Lines();
  private final Lines warnings = new Lines();

  public void wrong(String field, String why) {
    problems.add(field + ": " + why);
  }

  public void warn(String field, String why) {
    warnings.add(field + ": " + why);
  }

  public List<String> problems() {
    return problems.read();
  }

  public List<String> warnings() {
    return warnings.read();
  }

  private static final class Lines {
    private final List<String> kept = new ArrayList<>();
    private int dropped;

    void add(String line) {
      if (kept.size() < MAX_LINES) {
        kept.add(printable(line));
      } else {
        dropped++;
      }
    }

    /** Values in a file may contain anything, but a message is one line of limited length. */
    private static String printable(String line) {
      String start = line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "…";
      return start.replaceAll("\\p{Cntrl}", " ");
    }

    List<String> read() {
      var lines = new ArrayList<>(kept);
      if (dropped > 0) {
        lines.add("and %d more".formatted(dropped));
      }
      return List.copyOf(lines);
    }
  }
}
