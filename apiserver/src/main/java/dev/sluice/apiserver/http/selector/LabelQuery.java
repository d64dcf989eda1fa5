package dev.sluice.apiserver.http.selector;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A label selector of a query: the objects whose labels meet every requirement. */
public record LabelQuery(List<Requirement> requirements) {

  /** A requirement on one label. */
  sealed interface Requirement {
    /** The label exists. */
    record Exists(String key) implements Requirement {}

    record Missing(String key) implements Requirement {}

    record OneOf(String key, List<String> values) implements Requirement {}

    /** The label has none of these values, or does not exist. */
    record NoneOf(String key, List<String> values) implements Requirement {}

    record Above(String key, long number) implements Requirement {}

    record Below(String key, long number) implements Requirement {}
  }

  public LabelQuery {
    requirements = List.copyOf(requirements);
  }

  /** Parses a selector; a malformed one is a bad request. */
  public static LabelQuery parse(String text) {
    return new LabelQuery(text.isBlank() ? List.of() : new Parser(text).parse());
  }

  public boolean isEmpty() {
    return requirements.isEmpty();
  }

  public boolean matches(Map<String, String> labels) {
    return requirements.stream().allMatch(requirement -> meets(requirement, labels));
  }

  private static boolean meets(Requirement requirement, Map<String, String> labels) {
    return switch (requirement) {
      case Requirement.Exists(String key) -> labels.containsKey(key);
      case Requirement.Missing(String key) -> !labels.containsKey(key);
      case Requirement.OneOf(String key, var values) ->
          labels.containsKey(key) && values.contains(labels.get(key));
      case Requirement.NoneOf(String key, var values) ->
          !labels.containsKey(key) || !values.contains(labels.get(key));
      case Requirement.Above(String key, long number) -> compare(labels.get(key), number) > 0;
      case Requirement.Below(String key, long number) -> compare(labels.get(key), number) < 0;
    };
  }

  /** Compares numbers; zero, so neither greater nor less, if the value is not a number. */
  private static int compare(@Nullable String value, long number) {
    try {
      return value == null ? 0 : Long.compare(Long.parseLong(value), number);
    } catch (NumberFormatException other) {
      return 0;
    }
  }

  private static final class Parser {
    private final String text;
    private int position;

    Parser(String text) {
      this.text = text;
    }

    List<Requirement> parse() {
      var requirements = new ArrayList<Requirement>();
      do {
        requirements.add(requirement());
      } while (take(","));
      if (position < text.length()) {
        throw wrong("unexpected \"%s\"".formatted(text.substring(position)));
      }
      return requirements;
    }

    private Requirement requirement() {
      if (take("!")) {
        return new Requirement.Missing(key());
      }
      String key = key();
      if (take("!=")) {
        return new Requirement.NoneOf(key, List.of(word()));
      }
      if (take("==") || take("=")) {
        return new Requirement.OneOf(key, List.of(word()));
      }
      if (take(">")) {
        return new Requirement.Above(key, number());
      }
      if (take("<")) {
        return new Requirement.Below(key, number());
      }
      return set(key);
    }

    private Requirement set(String key) {
      int before = position;
      String operator = word();
      if (operator.equals("in")) {
        return new Requirement.OneOf(key, values());
      }
      if (operator.equals("notin")) {
        return new Requirement.NoneOf(key, values());
      }
      position = before;
      return new Requirement.Exists(key);
    }

    private List<String> values() {
      if (!take("(")) {
        throw wrong("a set of values in parentheses is missing");
      }
      var values = new ArrayList<String>();
      do {
        values.add(word());
      } while (take(","));
      if (!take(")")) {
        throw wrong("a parenthesis is not closed");
      }
      return List.copyOf(values);
    }

    private String key() {
      String key = word();
      if (!key.matches("([a-zA-Z0-9.-]+/)?[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?")) {
        throw wrong("\"%s\" is no name of a label".formatted(key));
      }
      return key;
    }

    private long number() {
      String word = word();
      try {
        return Long.parseLong(word);
      } catch (NumberFormatException other) {
        throw wrong("\"%s\" is no whole number".formatted(word));
      }
    }

    private String word() {
      skipBlanks();
      int start = position;
      while (position < text.length() && " ,=!<>()\t".indexOf(text.charAt(position)) < 0) {
        position++;
      }
      return text.substring(start, position);
    }

    private boolean take(String token) {
      skipBlanks();
      boolean found = text.startsWith(token, position);
      position += found ? token.length() : 0;
      return found;
    }

    private void skipBlanks() {
      while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
        position++;
      }
    }

    private RuntimeException wrong(String why) {
      return ApiFailure.because(
          Reason.BAD_REQUEST,
          "unable to parse the label selector \"%s\": %s; write it like app=web,tier!=cache,"
                  .formatted(text, why)
              + "zone in (a,b),!old");
    }
  }
}
