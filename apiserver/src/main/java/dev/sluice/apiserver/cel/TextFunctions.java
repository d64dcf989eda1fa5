package dev.sluice.apiserver.cel;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelFunctionBinding;
import dev.sluice.model.bounds.LinearPattern;
import dev.sluice.model.bounds.Meter;
import dev.sluice.model.cel.MeteredRuntime;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The string functions that Kubernetes adds to CEL: regular expressions and formatting. */
final class TextFunctions {
  private static final int MAX_PRECISION = 400;

  private TextFunctions() {}

  static void addTo(Library library) {
    library.member(
        "find",
        SimpleType.STRING,
        SimpleType.STRING,
        String.class,
        SimpleType.STRING,
        String.class,
        (text, pattern) -> {
          List<String> found = findAll(text, pattern, 1);
          return found.isEmpty() ? "" : found.getFirst();
        });
    library.member(
        "findAll",
        ListType.create(SimpleType.STRING),
        SimpleType.STRING,
        String.class,
        SimpleType.STRING,
        String.class,
        (text, pattern) -> findAll(text, pattern, -1));
    library
        .declarations()
        .add(
            CelFunctionDecl.newFunctionDeclaration(
                "findAll",
                CelOverloadDecl.newMemberOverload(
                    "k8s_findAll_limit",
                    ListType.create(SimpleType.STRING),
                    SimpleType.STRING,
                    SimpleType.STRING,
                    SimpleType.INT)));
    library
        .bindings()
        .add(
            CelFunctionBinding.from(
                "k8s_findAll_limit",
                List.of(String.class, String.class, Long.class),
                arguments ->
                    findAll((String) arguments[0], (String) arguments[1], (Long) arguments[2])));
    library.member(
        "format",
        SimpleType.STRING,
        SimpleType.STRING,
        String.class,
        ListType.create(SimpleType.DYN),
        List.class,
        TextFunctions::format);
  }

  private static List<String> findAll(String text, String pattern, long limit) {
    Meter meter = MeteredRuntime.meter();
    return LinearPattern.compile(pattern, meter)
        .findAll(text, limit < 0 ? Long.MAX_VALUE : limit, meter);
  }

  /** Replaces {@code %s}, {@code %d}, {@code %f}, {@code %e}, {@code %x}, {@code %b} in order. */
  private static String format(String pattern, List<?> arguments) {
    var text = new StringBuilder();
    int next = 0;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c != '%') {
        text.append(c);
        continue;
      }
      int verb = verbAt(pattern, i + 1);
      if (pattern.charAt(verb) == '%') {
        text.append('%');
      } else if (next < arguments.size()) {
        text.append(formatted(arguments.get(next++), pattern.substring(i + 1, verb + 1)));
      } else {
        throw new IllegalArgumentException("format has more verbs than arguments: " + pattern);
      }
      i = verb;
    }
    return text.toString();
  }

  private static int verbAt(String pattern, int start) {
    int verb = start;
    while (verb < pattern.length() && (pattern.charAt(verb) == '.' || digit(pattern, verb))) {
      verb++;
    }
    if (verb == pattern.length()) {
      throw new IllegalArgumentException("format ends inside a verb: " + pattern);
    }
    return verb;
  }

  private static boolean digit(String pattern, int index) {
    return Character.isDigit(pattern.charAt(index));
  }

  private static String formatted(Object value, String verb) {
    int precision = verb.length() > 2 ? precision(verb.substring(1, verb.length() - 1)) : 6;
    return switch (verb.charAt(verb.length() - 1)) {
      case 's' -> shown(value);
      case 'd' -> Long.toString(((Number) value).longValue());
      case 'f' ->
          new BigDecimal(value.toString()).setScale(precision, RoundingMode.HALF_EVEN).toString();
      case 'e' -> String.format(Locale.ROOT, "%." + precision + "e", (Double) value);
      case 'x' -> Long.toHexString((Long) value);
      case 'o' -> Long.toOctalString((Long) value);
      case 'b' ->
          value instanceof Boolean flag ? (flag ? "1" : "0") : Long.toBinaryString((Long) value);
      default -> throw new IllegalArgumentException("format does not know %" + verb);
    };
  }

  private static int precision(String digits) {
    if (digits.length() > 3 || Integer.parseInt(digits) > MAX_PRECISION) {
      throw new IllegalArgumentException(
          "format has a precision above %d: %s".formatted(MAX_PRECISION, digits));
    }
    return Integer.parseInt(digits);
  }

  private static String shown(Object value) {
    return switch (value) {
      case List<?> list ->
          list.stream().map(TextFunctions::shown).collect(Collectors.joining(", ", "[", "]"));
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> shown(entry.getKey()) + ": " + shown(entry.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
      case NullValue _ -> "null";
      default -> value.toString();
    };
  }
}
