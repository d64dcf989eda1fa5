package dev.sluice.controllers.nodes.template;

import java.nio.charset.StandardCharsets;

/** Go's functions that escape a string for another language. */
final class GoEscapes {
  private static final String CONTROL = "\\u%04X";

  private GoEscapes() {}

  static String html(String text) {
    var escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      switch (letter) {
        case '\0' -> escaped.append('\ufffd');
        case '"' -> escaped.append("&#34;");
        case '\'' -> escaped.append("&#39;");
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        default -> escaped.append(letter);
      }
    }
    return escaped.toString();
  }

  /** For a string in JavaScript, which may be part of a page. */
  static String script(String text) {
    var escaped = new StringBuilder(text.length());
    text.codePoints()
        .forEach(letter -> {
          switch (letter) {
            case '\\', '\'', '"' -> escaped.append('\\').appendCodePoint(letter);
            case '<', '>', '&', '=' -> escaped.append(CONTROL.formatted(letter));
            default -> {
              if (letter < ' ' || (letter >= 0x80 && !isPrintable(letter))) {
                escaped.append(CONTROL.formatted(letter));
              } else {
                escaped.appendCodePoint(letter);
              }
            }
          }
        });
    return escaped.toString();
  }

  /** A string or character literal of Go. */
  static String quoted(String text, char quote, boolean ascii) {
    var quoted = new StringBuilder().append(quote);
    text.codePoints().forEach(letter -> quoted.append(quoted(letter, quote, ascii)));
    return quoted.append(quote).toString();
  }

  private static String quoted(int letter, char quote, boolean ascii) {
    int special = "\u0007\b\f\n\r\t\u000b".indexOf(letter);
    if (special >= 0) {
      return "\\" + "abfnrtv".charAt(special);
    }
    if (letter == quote || letter == '\\') {
      return "\\" + (char) letter;
    }
    boolean plain = letter < 0x80 ? letter >= ' ' && letter < 0x7F : !ascii && isPrintable(letter);
    if (plain) {
      return Character.toString(letter);
    }
    String form = letter < 0x80 ? "\\x%02x" : letter <= 0xFFFF ? "\\u%04x" : "\\U%08x";
    return form.formatted(letter);
  }

  private static boolean isPrintable(int letter) {
    return switch (Character.getType(letter)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  static String query(String text) {
    var escaped = new StringBuilder(text.length());
    for (byte letter : text.getBytes(StandardCharsets.UTF_8)) {
      if (isUnreserved(letter)) {
        escaped.append((char) letter);
      } else if (letter == ' ') {
        escaped.append('+');
      } else {
        escaped.append("%%%02X".formatted(letter));
      }
    }
    return escaped.toString();
  }

  private static boolean isUnreserved(byte letter) {
    return (letter >= 'a' && letter <= 'z')
        || (letter >= 'A' && letter <= 'Z')
        || (letter >= '0' && letter <= '9')
        || "-_.~".indexOf(letter) >= 0;
  }
}
