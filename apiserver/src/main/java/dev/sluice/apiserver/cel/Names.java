package dev.sluice.apiserver.cel;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names of fields in CEL, whose identifiers contain no dots, dashes or slashes and exclude
 * reserved words. A word that is reserved only for later use can follow a dot as it is.
 */
final class Names {
  /** The words that no expression can use as a name. */
  private static final Set<String> LITERALS = Set.of("true", "false", "null", "in");

  /** The words that only variables cannot have as their name. */
  private static final Set<String> RESERVED =
      Set.of(
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
   * The identifiers under which rules read a field: the escaped one, and the name itself if it is
   * only reserved. None if the name cannot be escaped.
   */
  static List<String> all(String field) {
    return RESERVED.contains(field)
        ? List.of("__" + field + "__", field)
        : escape(field).stream().toList();
  }

  private static boolean isWord(String name) {
    return LITERALS.contains(name) || RESERVED.contains(name);
  }

  /**
   * The identifier for a field, if its name can be escaped; otherwise rules cannot read the field.
   */
  static Optional<String> escape(String field) {
    if (isWord(field)) {
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
      if (isWord(word)) {
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
