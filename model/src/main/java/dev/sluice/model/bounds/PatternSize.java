package dev.sluice.model.bounds;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The number of instructions that a pattern expands to, without expanding it: a repetition such as
 * {@code {1,1000}} is written out by the compiler, and nested ones multiply. The number is an upper
 * bound. A malformed pattern has some size; the compiler says what is wrong with it.
 */
final class PatternSize {
  private final String pattern;
  private final long limit;

  /** What stands before the open groups, innermost first. */
  private final Deque<Long> outside = new ArrayDeque<>();

  private long before;
  private long last;
  private int depth;
  private int at;

  private PatternSize(String pattern, long limit) {
    this.pattern = pattern;
    this.limit = limit;
  }

  /** The size and the depth of the nesting; both stop growing above the limit. */
  record Found(long instructions, int depth) {}

  static Found of(String pattern, long limit) {
    var size = new PatternSize(pattern, limit);
    while (size.at < pattern.length()) {
      size.step(pattern.charAt(size.at++));
    }
    while (!size.outside.isEmpty()) {
      size.leaveGroup();
    }
    return new Found(size.bounded(size.before + size.last), size.depth);
  }

  private void step(char c) {
    switch (c) {
      case '(' -> enterGroup();
      case ')' -> leaveGroup();
      case '*', '+', '?' -> last = bounded(last + 1);
      case '{' -> repeat();
      case '[' -> {
        skipClass();
        startAtom();
      }
      case '\\' -> {
        skipEscape();
        startAtom();
      }
      default -> startAtom();
    }
  }

  private long bounded(long size) {
    return Math.min(size, limit + 1);
  }

  private void startAtom() {
    before = bounded(before + last);
    last = 1;
  }

  private void enterGroup() {
    outside.push(bounded(before + last));
    depth = Math.max(depth, outside.size());
    before = 0;
    last = 0;
  }

  private void leaveGroup() {
    if (!outside.isEmpty()) {
      last = bounded(before + last + 2);
      before = outside.pop();
    }
  }

  /** Reads {@code 2}, {@code 2,} or {@code 2,5} and a brace; anything else is literal text. */
  private void repeat() {
    int end = pattern.indexOf('}', at);
    String bounds = end < 0 ? "" : pattern.substring(at, end);
    int comma = bounds.indexOf(',');
    String min = comma < 0 ? bounds : bounds.substring(0, comma);
    String max = comma < 0 ? "" : bounds.substring(comma + 1);
    if (min.isEmpty() || !isNumber(min) || !isNumber(max)) {
      startAtom();
      return;
    }
    long times = Math.max(number(min) + 1, number(max));
    last = bounded(Math.max(1, last) * Math.max(1, times) + 1);
    at = end + 1;
  }

  private static boolean isNumber(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** The compiler refuses numbers of more than four digits. */
  private static long number(String digits) {
    return digits.isEmpty() ? 0 : digits.length() > 4 ? 10_000 : Long.parseLong(digits);
  }

  /** A bracket that comes first in a class belongs to it. */
  private void skipClass() {
    at += pattern.startsWith("^", at) ? 1 : 0;
    at += pattern.startsWith("]", at) ? 1 : 0;
    while (at < pattern.length() && pattern.charAt(at) != ']') {
      if (pattern.startsWith("[:", at)) {
        int end = pattern.indexOf(":]", at + 2);
        at = end < 0 ? at + 1 : end + 2;
      } else {
        at += pattern.charAt(at) == '\\' ? 2 : 1;
      }
    }
    at++;
  }

  /** Skips what belongs to an escape: {@code \p{Greek}}, {@code \x{10FFFF}}. */
  private void skipEscape() {
    char escaped = at < pattern.length() ? pattern.charAt(at) : ' ';
    at++;
    if ("pPx".indexOf(escaped) >= 0 && pattern.startsWith("{", at)) {
      int end = pattern.indexOf('}', at);
      at = end < 0 ? pattern.length() : end + 1;
    }
  }
}
