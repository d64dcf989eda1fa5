package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How Go writes values, and which of them it takes for true. */
final class GoText {
  private static final Pattern VERB =
      Pattern.compile("%([-+ 0#]*)(\\d{1,4})?(?:\\.(\\d{1,3}))?(.)");

  private GoText() {}

  static String of(Value value) {
    return switch (value) {
      case Value.Text(String text) -> text;
      case Value.Whole(long number) -> Long.toString(number);
      case Value.Decimal(BigDecimal number) ->
          Numbers.isPlain(number) ? number.stripTrailingZeros().toPlainString() : number.toString();
      case Value.Flag flag -> flag == Value.Flag.TRUE ? "true" : "false";
      case Value.Null _ -> "<no value>";
      case Items(List<Value> values) ->
          "[" + String.join(" ", values.stream().map(GoText::of).toList()) + "]";
      case Tree tree -> {
        var fields = tree.names().stream().map(name -> name + ":" + of(tree.at(name))).toList();
        yield "map[" + String.join(" ", fields) + "]";
      }
    };
  }

  /** Everything but what is empty, zero or false. */
  static boolean isTrue(Value value) {
    return switch (value) {
      case Value.Text(String text) -> !text.isEmpty();
      case Value.Whole(long number) -> number != 0;
      case Value.Decimal(BigDecimal number) -> number.signum() != 0;
      case Value.Flag flag -> flag == Value.Flag.TRUE;
      case Value.Null _ -> false;
      case Items(List<Value> values) -> !values.isEmpty();
      case Tree tree -> !tree.isEmpty();
    };
  }

  static String quote(String text) {
    // Nearly every text is plain, and templates quote all the time.
    boolean plain =
        text.chars().allMatch(letter -> letter >= ' ' && letter != '"' && letter != '\\');
    return plain ? '"' + text + '"' : Json.write(new Value.Text(text));
  }

  /** The text of {@code printf}. */
  static String format(String format, List<Value> arguments) {
    var text = new StringBuilder();
    Matcher verb = VERB.matcher(format);
    int end = 0;
    int next = 0;
    while (verb.find()) {
      text.append(format, end, verb.start());
      end = verb.end();
      if (verb.group(4).equals("%")) {
        text.append('%');
      } else if (next >= arguments.size()) {
        text.append("%!").append(verb.group(4)).append("(MISSING)");
      } else {
        text.append(formatted(verb, arguments.get(next++)));
      }
    }
    return text.append(format.substring(end)).toString();
  }

  private static String formatted(Matcher verb, Value argument) {
    String flags = verb.group(1);
    String precision = verb.group(3);
    String text =
        switch (verb.group(4)) {
          case "v", "s" -> of(argument);
          case "q" -> quote(of(argument));
          case "d" -> signed(flags, Numbers.whole(argument).toString());
          case "x" -> hex(argument);
          case "t" -> of(argument);
          case "f", "g", "e" ->
              signed(flags, fixed(Numbers.decimal(argument), precision == null ? "6" : precision));
          default -> throw new TemplateException("printf does not know %" + verb.group(4));
        };
    boolean cuts = precision != null && verb.group(4).equals("s");
    return padded(cuts ? cut(text, Integer.parseInt(precision)) : text, verb.group(2), flags);
  }

  private static String cut(String text, int length) {
    return text.length() <= length ? text : text.substring(0, length);
  }

  private static String signed(String flags, String number) {
    return flags.contains("+") && !number.startsWith("-") ? "+" + number : number;
  }

  private static String fixed(BigDecimal number, String digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", number);
  }

  private static String hex(Value argument) {
    return argument instanceof Value.Text(String text)
        ? java.util.HexFormat.of().formatHex(text.getBytes(java.nio.charset.StandardCharsets.UTF_8))
        : Numbers.whole(argument).toString(16);
  }

  private static String padded(
      String text, @org.jspecify.annotations.Nullable String width, String flags) {
    int missing = width == null ? 0 : Integer.parseInt(width) - text.length();
    if (missing <= 0) {
      return text;
    }
    if (flags.contains("-")) {
      return text + " ".repeat(missing);
    }
    boolean negative = text.startsWith("-");
    return flags.contains("0")
        ? (negative ? "-" : "") + "0".repeat(missing) + text.substring(negative ? 1 : 0)
        : " ".repeat(missing) + text;
  }
}
