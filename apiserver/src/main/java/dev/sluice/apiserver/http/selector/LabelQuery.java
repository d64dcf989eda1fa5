package dev.sluice.apiserver.http.selector;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.LabelRequirement;
import dev.sluice.model.LabelRequirement.Operator;
import dev.sluice.model.LabelSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The label selector of a query string, such as {@code app=web,zone in (a,b),!old}. */
public final class LabelQuery {
  private static final Pattern KEY =
      Pattern.compile("([a-zA-Z0-9.-]+/)?[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?");

  private final String text;
  private int position;

  private LabelQuery(String text) {
    this.text = text;
  }

  /** Compiles a selector; a string that is none is refused as a bad request. */
  public static LabelSelector parse(String text) {
    return new LabelSelector(text.isBlank() ? List.of() : new LabelQuery(text).requirements());
  }

  private List<LabelRequirement> requirements() {
    var requirements = new ArrayList<LabelRequirement>();
    do {
      requirements.add(requirement());
    } while (take(","));
    if (position < text.length()) {
      throw wrong("unexpected \"%s\"".formatted(text.substring(position)));
    }
    return requirements;
  }

  private LabelRequirement requirement() {
    if (take("!")) {
      return new LabelRequirement(key(), Operator.DOES_NOT_EXIST, List.of());
    }
    String key = key();
    if (take("!=")) {
      return new LabelRequirement(key, Operator.NOT_IN, List.of(word()));
    }
    if (take("==") || take("=")) {
      return new LabelRequirement(key, Operator.IN, List.of(word()));
    }
    if (take(">")) {
      return new LabelRequirement(key, Operator.GREATER_THAN, List.of(number()));
    }
    if (take("<")) {
      return new LabelRequirement(key, Operator.LESS_THAN, List.of(number()));
    }
    return set(key);
  }

  private LabelRequirement set(String key) {
    int before = position;
    String operator = word();
    if (operator.equals("in")) {
      return new LabelRequirement(key, Operator.IN, values());
    }
    if (operator.equals("notin")) {
      return new LabelRequirement(key, Operator.NOT_IN, values());
    }
    position = before;
    return new LabelRequirement(key, Operator.EXISTS, List.of());
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
    if (!KEY.matcher(key).matches()) {
      throw wrong("\"%s\" is no name of a label".formatted(key));
    }
    return key;
  }

  private String number() {
    String word = word();
    try {
      return Long.toString(Long.parseLong(word));
    } catch (NumberFormatException notNumeric) {
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
