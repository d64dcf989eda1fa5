package dev.sluice.controllers.configuration.file;

import java.util.ArrayList;
import java.util.List;

/**
 * What was found while a file was read: what must be mended before it can be used, and what in it
 * has no effect. Of either, only so many are kept that a person may read them.
 */
public final class Findings {
  private static final int MOST = 100;
  private static final int LONGEST = 1000;

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
      if (kept.size() < MOST) {
        kept.add(printable(line));
      } else {
        dropped++;
      }
    }

    /** A file may hold anything, but what is told about it is one line that fits a terminal. */
    private static String printable(String line) {
      String start = line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
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
