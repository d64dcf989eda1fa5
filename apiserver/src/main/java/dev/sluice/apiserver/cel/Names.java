package dev.sluice.apiserver.cel;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names of fields in CEL, whose identifiers contain no dots, dashes or slashes and exclude
 * reserved words.
 */
final class Names {
  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private Names() {}

  /**
   * The identifier for a field, if its name can be escaped; otherwise rules cannot read the field.
   */
  static Optional<String> escape(String field) {
    if (RESERVED.contains(field)) {
      return Optional.of("__" + field + "__");
    }
    String escaped =
        field
            .replace("__", "__underscores__")
            .replace(".", "__dot__")
            .replace("-", "__dash__")
            .replace("/", "__slash__");
    return IDENTIFIER.matcher(escaped).matches() ? Optional.of(escaped) : Optional.empty();
  }

  /** The field that an identifier stands for. */
  static String unescape(String identifier) {
    if (!identifier.contains("__")) {
      return identifier;
    }
    int length = identifier.length();
    if (length > 4 && identifier.startsWith("__") && identifier.endsWith("__")) {
      String word = identifier.substring(2, length - 2);
      if (RESERVED.contains(word)) {
        return word;
      }
    }
    return identifier
        .replace("__dot__", ".")
        .replace("__dash__", "-")
        .replace("__slash__", "/")
        .replace("__underscores__", "__");
  }
}
