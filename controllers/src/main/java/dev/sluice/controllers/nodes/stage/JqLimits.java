package dev.sluice.controllers.nodes.stage;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The limits of the jq programs of stages: they may only read the object, and their work is bounded
 * by its size. A program cannot be stopped once it runs, and delays all other objects of its kind.
 *
 * <p>Recursion and functions that generate values without end are not available. Nested iteration,
 * and functions that enlarge their input, multiply the work: that is why one program may have only
 * so many of them.
 */
final class JqLimits {
  private static final int LONGEST = 4096;
  private static final int MAX_LISTS = 4;
  private static final int MAX_OPERATORS = 12;

  /** A string in a program. */
  static final String TEXT = "\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"";

  /** Strings with interpolation, plain strings, fields, words, and the relevant operators. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<text>"
              + TEXT
              + ")|(?<field>\\.[A-Za-z_]\\w*)|(?<word>\\$?[A-Za-z_]\\w*)"
              + "|(?<all>\\.\\.)|(?<list>\\[\\s*\\])|(?<compare>[=!<>]=|//)|(?<assign>=)"
              + "|(?<operator>[|,+])|(?<times>\\*)|(?<escape>@)|(?<comment>#)");

  private static final String OUTSIDE = "an expression may only look at the object";
  private static final String UNBOUNDED =
      "an expression may do only so much as the object is large";

  private static final SortedMap<String, String> FORBIDDEN = new TreeMap<>();

  static {
    for (String word :
        "$ENV now env input inputs debug stderr halt halt_error input_line_number import include"
            .split(" ", -1)) {
      FORBIDDEN.put(word, OUTSIDE);
    }
    for (String word :
        ("repeat while until range recurse recurse_down limit def reduce foreach label walk"
                + " combinations setpath match capture scan splits sub gsub")
            .split(" ", -1)) {
      FORBIDDEN.put(word, UNBOUNDED);
    }
  }

  /** Functions that make a list of a text. */
  private static final List<String> OPENING =
      List.of("split", "explode", "indices", "index", "rindex", "fromjson");

  /** Functions that escape texts, as formats do: again and again they multiply them. */
  private static final List<String> ESCAPING = List.of("tojson", "tostring", "join", "ascii");

  private static final int DOUBLINGS_OF_ESCAPES = 2;

  private int lists;
  private int operators;
  private int doublings;
  private boolean opensTexts;

  private JqLimits() {}

  /**
   * What a program may cost.
   *
   * @throws IllegalArgumentException if it exceeds the limits
   */
  static JqCost check(String program) {
    if (program.length() > LONGEST) {
      throw new IllegalArgumentException("it has more than %d characters".formatted(LONGEST));
    }
    var limits = new JqLimits();
    Matcher token = TOKEN.matcher(program);
    while (token.find()) {
      limits.count(token);
    }
    if (limits.lists > MAX_LISTS) {
      throw new IllegalArgumentException(
          "it goes through lists in more than %d places: %s".formatted(MAX_LISTS, UNBOUNDED));
    }
    if (limits.operators > MAX_OPERATORS) {
      throw new IllegalArgumentException(
          "it has more than %d times |, + or a comma: %s".formatted(MAX_OPERATORS, UNBOUNDED));
    }
    return new JqCost(limits.lists, limits.doublings, limits.opensTexts);
  }

  private void count(Matcher token) {
    String word = token.group("word");
    if (word != null) {
      forbidIf(FORBIDDEN.containsKey(word), word, FORBIDDEN.getOrDefault(word, ""));
      lists += lists(word);
      opensTexts |= OPENING.contains(word);
      doublings += ESCAPING.contains(word) ? DOUBLINGS_OF_ESCAPES : 0;
    } else if (token.group("text") != null) {
      forbidIf(token.group().contains("\\("), "\\(", UNBOUNDED);
    } else if (token.group("all") != null) {
      lists += 2;
    } else if (token.group("list") != null) {
      lists++;
    } else if (token.group("operator") != null) {
      operators++;
      doublings += token.group().equals("|") ? 0 : 1;
    } else if (token.group("escape") != null) {
      doublings += DOUBLINGS_OF_ESCAPES;
    }
    forbidIf(token.group("assign") != null, "=", OUTSIDE);
    forbidIf(token.group("times") != null, "*", UNBOUNDED);
    // What looks like a string after it would not be one.
    forbidIf(token.group("comment") != null, "#", "an expression has no comments");
  }

  /** How many lists a function iterates over. */
  private static int lists(String function) {
    return switch (function) {
      case "map", "map_values", "with_entries" -> 1;
      case "paths", "leaf_paths" -> 2;
      default -> 0;
    };
  }

  private static void forbidIf(boolean found, String what, String why) {
    if (found) {
      throw new IllegalArgumentException(
          "\"%s\" is not available in stages: %s".formatted(what, why));
    }
  }
}
