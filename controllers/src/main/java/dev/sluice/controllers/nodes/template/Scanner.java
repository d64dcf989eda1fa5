package dev.sluice.controllers.nodes.template;

import java.util.ArrayList;
import java.util.List;

/** The scanner that divides the source of a template into text and actions, and trims spaces. */
final class Scanner {
  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";

  private final String text;
  private final List<Piece> pieces = new ArrayList<>();
  private boolean trimNext;

  private Scanner(String text) {
    this.text = text;
  }

  static List<Piece> scan(String text) {
    var scanner = new Scanner(text);
    scanner.scan();
    return scanner.pieces;
  }

  private void scan() {
    int at = 0;
    while (at < text.length()) {
      int open = text.indexOf(OPEN, at);
      if (open < 0) {
        addPlain(text.substring(at), false);
        return;
      }
      boolean trims = text.startsWith("-", open + 2) && isSpace(open + 3);
      addPlain(text.substring(at, open), trims);
      at = action(open + (trims ? 3 : 2), open);
    }
  }

  private void addPlain(String plain, boolean trimEnd) {
    String kept = trimNext ? plain.stripLeading() : plain;
    kept = trimEnd ? kept.stripTrailing() : kept;
    trimNext = false;
    if (!kept.isEmpty()) {
      pieces.add(new Piece.Plain(kept));
    }
  }

  /** Scans an action and returns where it ends. */
  private int action(int start, int open) {
    // A comment is directly after the braces, or after the one space of a trim marker.
    int comment = text.charAt(start - 1) == '-' ? start + 1 : start;
    if (text.startsWith("/*", comment)) {
      int end = text.indexOf("*/", comment);
      if (end < 0) {
        throw TemplateException.at(line(open), "a comment has no end");
      }
      return closeComment(end + 2, open);
    }
    var tokenizer = new Tokenizer(text, start, line(open));
    List<Token> tokens = tokenizer.read();
    pieces.add(new Piece.Action(tokens));
    return close(tokenizer.position(), open);
  }

  private boolean isSpace(int index) {
    return index < text.length() && " \t\r\n".indexOf(text.charAt(index)) >= 0;
  }

  private int closeComment(int end, int open) {
    if (text.startsWith(CLOSE, end) || (isSpace(end) && text.startsWith("-" + CLOSE, end + 1))) {
      return close(end, open);
    }
    throw TemplateException.at(line(open), "something follows a comment before }}");
  }

  private int close(int from, int open) {
    int at = from;
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    if (at > from && text.startsWith("-" + CLOSE, at)) {
      trimNext = true;
      return at + 3;
    }
    if (text.startsWith(CLOSE, at)) {
      return at + 2;
    }
    throw TemplateException.at(line(open), "an action has no end: }} is missing");
  }

  private int line(int position) {
    return 1 + (int) text.chars().limit(position).filter(letter -> letter == '\n').count();
  }
}
