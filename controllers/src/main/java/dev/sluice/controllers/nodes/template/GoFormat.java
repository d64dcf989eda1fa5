package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The formatter of Go's {@code printf}. A verb that does not fit its argument is no error: the
 * output says so, as Go's does.
 */
final class GoFormat {
  private static final Pattern VERB =
      Pattern.compile("%([-+ 0#]*)(\\d{1,4})?(?:\\.(\\d{0,3}))?(.)?", Pattern.DOTALL);

  private static final int NO_PRECISION = -1;
  private static final int USUAL_DIGITS = 6;

  /** The flags, width and precision of one verb. */
  private record Verb(char letter, String flags, int width, int precision) {
    boolean has(char flag) {
      return flags.indexOf(flag) >= 0;
    }

    /** Padding with zeros is only on the left. */
    boolean zeros() {
      return has('0') && !has('-');
    }

    Verb plain() {
      return new Verb('v', flags, width, precision);
    }
  }

  private GoFormat() {}

  static String of(String format, List<Value> arguments) {
    var text = new StringBuilder();
    Matcher found = VERB.matcher(format);
    int end = 0;
    int next = 0;
    while (found.find()) {
      text.append(format, end, found.start());
      end = found.end();
      if (found.group(4) == null) {
        text.append("%!(NOVERB)");
        continue;
      }
      Verb verb = verb(found);
      if (verb.letter() == '%') {
        text.append('%');
      } else if (next >= arguments.size()) {
        text.append("%!").append(verb.letter()).append("(MISSING)");
      } else {
        text.append(formatted(verb, arguments.get(next++)));
      }
    }
    text.append(format.substring(end));
    return next < arguments.size()
        ? text + extra(arguments.subList(next, arguments.size()))
        : "" + text;
  }

  private static Verb verb(Matcher found) {
    String precision = found.group(3);
    char letter = found.group(4).charAt(0);
    // For %v a plus asks for names of fields, which maps show anyway.
    String flags = letter == 'v' ? found.group(1).replace("+", "") : found.group(1);
    return new Verb(
        letter,
        flags,
        number(found.group(2), 0),
        precision == null ? NO_PRECISION : number(precision, 0));
  }

  private static int number(@Nullable String digits, int otherwise) {
    return digits == null || digits.isEmpty() ? otherwise : Integer.parseInt(digits);
  }

  private static String extra(List<Value> unused) {
    List<String> values =
        unused.stream()
            .map(value ->
                value == Value.Null.NULL ? "<nil>" : type(value) + "=" + GoText.inside(value))
            .toList();
    return "%!(EXTRA " + String.join(", ", values) + ")";
  }

  private static String formatted(Verb verb, Value value) {
    return switch (verb.letter()) {
      case 'T' -> padded(verb, value == Value.Null.NULL ? "<nil>" : type(value));
      case 'v' -> value == Value.Null.NULL ? padded(verb, "<nil>") : inside(verb, value);
      default -> value == Value.Null.NULL ? "%!" + verb.letter() + "(<nil>)" : inside(verb, value);
    };
  }

  /** A value that may be nested in another, to which flags and width apply as well. */
  private static String inside(Verb verb, Value value) {
    return switch (value) {
      case Value.Text(String text) -> text(verb, text);
      case Value.Whole(long number) -> whole(verb, value, BigInteger.valueOf(number));
      case Value.Decimal(BigDecimal number) -> decimal(verb, value, number.signum());
      case Value.Flag flag ->
          verb.letter() == 't' || verb.letter() == 'v'
              ? padded(verb, flag == Value.Flag.TRUE ? "true" : "false")
              : unfit(verb, value);
      case Value.Null _ -> "<nil>";
      case Items(List<Value> values) ->
          "[" + String.join(" ", values.stream().map(item -> inside(verb, item)).toList()) + "]";
      case Tree tree ->
          "map["
              + String.join(
                  " ",
                  tree.names().stream()
                      .map(name -> text(verb, name) + ":" + inside(verb, tree.at(name)))
                      .toList())
              + "]";
    };
  }

  private static String text(Verb verb, String text) {
    return switch (verb.letter()) {
      case 'v', 's' -> padded(verb, cut(verb, text));
      case 'q' -> padded(verb, GoEscapes.quoted(cut(verb, text), '"', verb.has('+')));
      case 'x' -> padded(verb, hex(verb, text));
      case 'X' -> padded(verb, hex(verb, text).toUpperCase(Locale.ROOT));
      default -> unfit(verb, new Value.Text(text));
    };
  }

  private static String cut(Verb verb, String text) {
    return verb.precision() < 0 || text.codePointCount(0, text.length()) <= verb.precision()
        ? text
        : text.substring(0, text.offsetByCodePoints(0, verb.precision()));
  }

  private static String hex(Verb verb, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int count = verb.precision() < 0 ? bytes.length : Math.min(bytes.length, verb.precision());
    return HexFormat.ofDelimiter(verb.has(' ') ? " " : "").formatHex(bytes, 0, count);
  }

  private static String whole(Verb verb, Value value, BigInteger number) {
    return switch (verb.letter()) {
      case 'v', 'd' -> digits(verb, number, number.abs().toString());
      case 'b' -> digits(verb, number, number.abs().toString(2));
      case 'o' -> digits(verb, number, number.abs().toString(8));
      case 'x' -> digits(verb, number, number.abs().toString(16));
      case 'X' -> digits(verb, number, number.abs().toString(16).toUpperCase(Locale.ROOT));
      case 'c' -> padded(verb, letter(number));
      case 'q' -> padded(verb, GoEscapes.quoted(letter(number), '\'', verb.has('+')));
      case 'U' -> padded(verb, "U+%04X".formatted(number.intValue()));
      default -> unfit(verb, value);
    };
  }

  private static String letter(BigInteger number) {
    boolean valid =
        number.bitLength() < Integer.SIZE && Character.isValidCodePoint(number.intValue());
    return Character.toString(valid && number.signum() >= 0 ? number.intValue() : 0xFFFD);
  }

  private static String sign(Verb verb, int signum) {
    return signum < 0 ? "-" : verb.has('+') ? "+" : verb.has(' ') ? " " : "";
  }

  private static String digits(Verb verb, BigInteger number, String digits) {
    String sign = sign(verb, number.signum());
    if (verb.precision() == 0 && number.signum() == 0) {
      return " ".repeat(verb.width());
    }
    int least =
        verb.precision() >= 0 ? verb.precision() : verb.zeros() ? verb.width() - sign.length() : 0;
    String zeros = "0".repeat(Math.max(0, least - digits.length()));
    return spaced(verb, sign + zeros + digits);
  }

  private static String decimal(Verb verb, Value value, int signum) {
    BigDecimal size = Numbers.decimal(value).abs();
    String unsigned =
        switch (verb.letter()) {
          case 'v' ->
              verb.precision() < 0
                  ? GoText.of(new Value.Decimal(size))
                  : shortest(size, verb.precision());
          case 'f', 'F' -> fixed(size, verb.precision());
          case 'e' -> exponent(size, verb.precision());
          case 'g' -> shortest(size, verb.precision());
          default -> null;
        };
    if (unsigned == null) {
      return unfit(verb, value);
    }
    String sign = sign(verb, signum);
    int missing = verb.width() - sign.length() - unsigned.length();
    return verb.zeros() && missing > 0
        ? sign + "0".repeat(missing) + unsigned
        : spaced(verb, sign + unsigned);
  }

  private static String fixed(BigDecimal number, int precision) {
    int places = precision < 0 ? USUAL_DIGITS : precision;
    return binary(number).setScale(places, RoundingMode.HALF_EVEN).toPlainString();
  }

  private static String exponent(BigDecimal number, int precision) {
    int places = precision < 0 ? USUAL_DIGITS : precision;
    BigDecimal rounded = binary(number).round(digits(places + 1));
    return String.format(Locale.ROOT, "%." + places + "e", rounded);
  }

  /** Without an exponent where that is short. */
  private static String shortest(BigDecimal number, int precision) {
    int most = precision < 0 ? USUAL_DIGITS : Math.max(1, precision);
    BigDecimal rounded =
        (precision < 0 ? number : binary(number).round(digits(most))).stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    return rounded.signum() == 0 || (exponent >= -4 && exponent < most)
        ? rounded.toPlainString()
        : exponent(rounded, rounded.precision() - 1);
  }

  /** The number in Go's binary form, which decides how half a digit is rounded. */
  private static BigDecimal binary(BigDecimal number) {
    return new BigDecimal(number.doubleValue());
  }

  private static MathContext digits(int count) {
    return new MathContext(count, RoundingMode.HALF_EVEN);
  }

  private static String unfit(Verb verb, Value value) {
    return "%!" + verb.letter() + "(" + type(value) + "=" + inside(verb.plain(), value) + ")";
  }

  /** Go's name of the type. */
  private static String type(Value value) {
    return switch (value) {
      case Value.Text _ -> "string";
      case Value.Whole _ -> "int";
      case Value.Decimal _ -> "float64";
      case Value.Flag _ -> "bool";
      case Value.Null _ -> "<nil>";
      case Items _ -> "[]interface {}";
      case Tree _ -> "map[string]interface {}";
    };
  }

  private static String padded(Verb verb, String text) {
    return verb.zeros()
        ? "0".repeat(Math.max(0, verb.width() - length(text))) + text
        : spaced(verb, text);
  }

  private static String spaced(Verb verb, String text) {
    String spaces = " ".repeat(Math.max(0, verb.width() - length(text)));
    return verb.has('-') ? text + spaces : spaces + text;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
