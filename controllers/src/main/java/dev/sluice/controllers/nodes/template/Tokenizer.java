package dev.sluice.controllers.nodes.template;

import dev.sluice.controllers.nodes.template.Token.Kind;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tokenizer of one action, up to its closing braces. */
final class Tokenizer {
  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int at;
  private int line;
  private boolean afterSpace;

  Tokenizer(String text, int start, int line) {
    this.text = text;
    this.at = start;
    this.line = line;
  }

  int position() {
    return at;
  }

  List<Token> read() {
    while (true) {
      int before = at;
      skipSpace();
      afterSpace = at > before;
      if (at >= text.length() || text.startsWith("}}", at) || endsTrimming()) {
        at = before;
        tokens.add(new Token(Kind.END, "}}", Value.Null.NULL, true, line));
        return tokens;
      }
      token();
    }
  }

  private boolean endsTrimming() {
    return afterSpace && text.startsWith("-}}", at);
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      line += text.charAt(at) == '\n' ? 1 : 0;
      at++;
    }
  }

  private void token() {
    char first = text.charAt(at);
    switch (first) {
      case '(' -> add(Kind.OPEN, 1);
      case ')' -> add(Kind.CLOSE, 1);
      case '|' -> add(Kind.PIPE, 1);
      case ',' -> add(Kind.COMMA, 1);
      case '=' -> add(Kind.ASSIGN, 1);
      case ':' -> declare();
      case '"' -> quoted();
      case '`' -> raw();
      case '\'' -> letter();
      case '$' -> named(Kind.VARIABLE, Kind.VARIABLE);
      case '.' -> {
        if (isDigit(at + 1)) {
          number();
        } else {
          named(Kind.FIELD, Kind.DOT);
        }
      }
      default -> other(first);
    }
  }

  private void other(char first) {
    if (isDigit(at) || ((first == '-' || first == '+') && (isDigit(at + 1) || next() == '.'))) {
      number();
    } else if (isNamePart(first)) {
      int end = endOfName(at);
      word(text.substring(at, end));
      at = end;
    } else {
      throw TemplateException.at(line, "unexpected \"%s\"".formatted(first));
    }
  }

  private char next() {
    return at + 1 < text.length() ? text.charAt(at + 1) : ' ';
  }

  private void word(String word) {
    switch (word) {
      case "true" -> constant(word, Value.Flag.TRUE);
      case "false" -> constant(word, Value.Flag.FALSE);
      case "nil" -> constant(word, Value.Null.NULL);
      default -> tokens.add(new Token(Kind.WORD, word, Value.Null.NULL, afterSpace, line));
    }
  }

  private void add(Kind kind, int length) {
    tokens.add(new Token(kind, text.substring(at, at + length), Value.Null.NULL, afterSpace, line));
    at += length;
  }

  private void constant(String written, Value value) {
    tokens.add(new Token(Kind.CONSTANT, written, value, afterSpace, line));
  }

  private void declare() {
    if (next() != '=') {
      throw TemplateException.at(line, "expected := and found \":\"");
    }
    add(Kind.DECLARE, 2);
  }

  /** A dot or dollar sign with the name that follows it, or without one. */
  private void named(Kind named, Kind alone) {
    int end = endOfName(at + 1);
    String name = text.substring(at + 1, end);
    tokens.add(new Token(name.isEmpty() ? alone : named, name, Value.Null.NULL, afterSpace, line));
    at = end;
  }

  private int endOfName(int from) {
    int end = from;
    while (end < text.length() && isNamePart(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isNamePart(char letter) {
    return Character.isLetterOrDigit(letter) || letter == '_';
  }

  private boolean isDigit(int index) {
    return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
  }

  private void number() {
    int end = at + 1;
    while (end < text.length() && isNumberPart(end)) {
      end++;
    }
    String written = text.substring(at, end);
    try {
      constant(written, Numbers.literal(written));
    } catch (NumberFormatException | ArithmeticException malformed) {
      throw TemplateException.at(line, "\"%s\" is no number".formatted(written));
    }
    at = end;
  }

  private boolean isNumberPart(int index) {
    char letter = text.charAt(index);
    boolean sign = letter == '-' || letter == '+';
    String before = text.substring(at, index).toLowerCase(Locale.ROOT);
    return sign
        ? before.endsWith(before.contains("x") ? "p" : "e")
        : isNamePart(letter) || letter == '.';
  }

  private void raw() {
    int end = text.indexOf('`', at + 1);
    if (end < 0) {
      throw TemplateException.at(line, "a string in backquotes has no end");
    }
    String inside = text.substring(at + 1, end);
    constant(inside, new Value.Text(inside));
    at = end + 1;
  }

  private void quoted() {
    var inside = new StringBuilder();
    at++;
    while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\n') {
      at = Escapes.read(text, at, inside, line);
    }
    endQuote('"');
    constant(inside.toString(), new Value.Text(inside.toString()));
  }

  private void letter() {
    var inside = new StringBuilder();
    at = Escapes.read(text, at + 1, inside, line);
    endQuote('\'');
    constant(inside.toString(), new Value.Whole(inside.codePointAt(0)));
  }

  private void endQuote(char quote) {
    if (at >= text.length() || text.charAt(at) != quote) {
      throw TemplateException.at(line, "a quote has no end");
    }
    at++;
  }
}
