package dev.sluice.apiserver.http.table;

import dev.sluice.apiserver.http.table.JsonPath.Operand;
import dev.sluice.apiserver.http.table.JsonPath.Step;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** The parser of a {@link JsonPath}. */
final class JsonPathParser {
  private static final List<String> OPERATORS = List.of("==", "!=", "<=", ">=", "<", ">");

  private final String text;
  private int position;

  JsonPathParser(String text) {
    String stripped = text.strip();
    boolean braced = stripped.startsWith("{") && stripped.endsWith("}");
    this.text = braced ? stripped.substring(1, stripped.length() - 1).strip() : stripped;
  }

  JsonPath parse() {
    if (text.startsWith("$") || text.startsWith("@")) {
      position++;
    }
    var steps = new ArrayList<Step>();
    while (position < text.length()) {
      steps(steps);
    }
    return new JsonPath(steps);
  }

  private void steps(List<Step> steps) {
    if (text.startsWith("..", position)) {
      position += 2;
      steps.add(new Step.Descend());
      steps.add(position < text.length() && text.charAt(position) == '[' ? bracket() : name());
    } else if (text.charAt(position) == '.') {
      position++;
      boolean bracketFollows = position < text.length() && text.charAt(position) == '[';
      if (position < text.length() && !bracketFollows) {
        steps.add(name());
      }
    } else if (text.charAt(position) == '[') {
      steps.add(bracket());
    } else {
      steps.add(name());
    }
  }

  private Step name() {
    var name = new StringBuilder();
    while (position < text.length() && ".[".indexOf(text.charAt(position)) < 0) {
      if (text.charAt(position) == '\\' && position + 1 < text.length()) {
        position++;
      }
      name.append(text.charAt(position++));
    }
    if (name.isEmpty()) {
      throw wrong("a name is missing at character " + position);
    }
    return name.toString().equals("*") ? new Step.Every() : new Step.Field(name.toString());
  }

  private Step bracket() {
    int end = endOfBracket();
    String inside = text.substring(position + 1, end).strip();
    position = end + 1;
    if (inside.startsWith("?(") && inside.endsWith(")")) {
      return filter(inside.substring(2, inside.length() - 1).strip());
    }
    List<String> members = split(inside);
    return members.size() == 1
        ? member(members.getFirst())
        : new Step.Union(members.stream().map(this::member).toList());
  }

  /** The index of the bracket that closes the one here, past quoted strings and inner brackets. */
  private int endOfBracket() {
    int depth = 0;
    for (int i : outsideQuotes(text, position)) {
      char c = text.charAt(i);
      if (c == '[') {
        depth++;
      } else if (c == ']' && --depth == 0) {
        return i;
      }
    }
    throw wrong("a bracket is not closed");
  }

  /** The indexes in a string, from {@code start} on, that are outside quotes. */
  private static List<Integer> outsideQuotes(String text, int start) {
    var places = new ArrayList<Integer>();
    char quote = 0;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else {
        places.add(i);
      }
    }
    return places;
  }

  private static List<String> split(String inside) {
    var members = new ArrayList<String>();
    int start = 0;
    for (int i : outsideQuotes(inside, 0)) {
      if (inside.charAt(i) == ',') {
        members.add(inside.substring(start, i).strip());
        start = i + 1;
      }
    }
    members.add(inside.substring(start).strip());
    return members;
  }

  private Step member(String member) {
    if (member.equals("*")) {
      return new Step.Every();
    }
    if (isQuoted(member)) {
      return new Step.Field(member.substring(1, member.length() - 1));
    }
    if (member.contains(":")) {
      String[] parts = member.split(":", -1);
      int stride = parts.length > 2 && !parts[2].isEmpty() ? number(parts[2]) : 1;
      if (parts.length > 3 || stride < 1) {
        throw wrong("\"" + member + "\" is no slice");
      }
      return new Step.Slice(optional(parts[0]), optional(parts[1]), stride);
    }
    return new Step.Index(number(member));
  }

  private Step filter(String condition) {
    for (int i : outsideQuotes(condition, 0)) {
      for (String operator : OPERATORS) {
        if (condition.startsWith(operator, i)) {
          return new Step.Filter(
              operand(condition.substring(0, i).strip()),
              operator,
              operand(condition.substring(i + operator.length()).strip()));
        }
      }
    }
    Operand path = operand(condition);
    return new Step.Filter(path, "", path);
  }

  private Operand operand(String operand) {
    if (operand.startsWith("@") || operand.startsWith(".") || operand.startsWith("$")) {
      return new Operand.Path(new JsonPathParser(operand).parse());
    }
    return new Operand.Literal(literal(operand));
  }

  private Value literal(String literal) {
    if (isQuoted(literal)) {
      return new Value.Text(literal.substring(1, literal.length() - 1));
    }
    if (literal.equals("true") || literal.equals("false")) {
      return Value.Flag.of(literal.equals("true"));
    }
    try {
      return new Value.Decimal(new BigDecimal(literal));
    } catch (NumberFormatException other) {
      throw wrong("\"" + literal + "\" is neither a path, a number nor quoted text");
    }
  }

  private static boolean isQuoted(String text) {
    return text.length() > 1
        && (text.charAt(0) == '\'' || text.charAt(0) == '"')
        && text.charAt(text.length() - 1) == text.charAt(0);
  }

  private OptionalInt optional(String number) {
    return number.isBlank() ? OptionalInt.empty() : OptionalInt.of(number(number));
  }

  private int number(String number) {
    try {
      return Integer.parseInt(number.strip());
    } catch (NumberFormatException other) {
      throw wrong("\"" + number + "\" is no index");
    }
  }

  private IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException("the JSONPath \"%s\" is wrong: %s".formatted(text, why));
  }
}
