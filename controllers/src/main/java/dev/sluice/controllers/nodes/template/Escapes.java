package dev.sluice.controllers.nodes.template;

/** The escape sequences of Go's strings. */
final class Escapes {
  private Escapes() {}

  /**
   * Appends the character at a position, which may be an escape sequence; returns the next
   * position.
   */
  static int read(String text, int at, StringBuilder into, int line) {
    if (at >= text.length()) {
      throw TemplateException.at(line, "a quote has no end");
    }
    char letter = text.charAt(at);
    if (letter != '\\') {
      into.append(letter);
      return at + 1;
    }
    char escaped = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
    switch (escaped) {
      case 'n' -> into.append('\n');
      case 't' -> into.append('\t');
      case 'r' -> into.append('\r');
      case 'a' -> into.append('\u0007');
      case 'b' -> into.append('\b');
      case 'f' -> into.append('\f');
      case 'v' -> into.append('\u000b');
      case '\\', '"', '\'' -> into.append(escaped);
      case 'x' -> into.appendCodePoint(number(text, at + 2, 2, 16, line));
      case 'u' -> into.appendCodePoint(number(text, at + 2, 4, 16, line));
      case 'U' -> into.appendCodePoint(number(text, at + 2, 8, 16, line));
      case '0', '1', '2', '3' -> into.appendCodePoint(number(text, at + 1, 3, 8, line));
      default ->
          throw TemplateException.at(line, "\\%s means nothing in a string".formatted(escaped));
    }
    return at
        + switch (escaped) {
          case 'x', '0', '1', '2', '3' -> 4;
          case 'u' -> 6;
          case 'U' -> 10;
          default -> 2;
        };
  }

  private static int number(String text, int from, int length, int radix, int line) {
    try {
      int letter = Integer.parseInt(text, from, Math.min(text.length(), from + length), radix);
      if (Character.isValidCodePoint(letter)) {
        return letter;
      }
    } catch (NumberFormatException | IndexOutOfBoundsException malformed) {
      // The message below says all there is to say.
    }
    throw TemplateException.at(line, "a string has a \\ without its digits");
  }
}
