package dev.sluice.controllers.nodes.local;

import java.util.SortedMap;

/**
 * The expansion of variables in the strings of one container: {@code $(NAME)} becomes the value of
 * NAME, and stays as it is where there is none; {@code $$} becomes one dollar sign.
 *
 * <p>Variables that refer to others can double in length each time. A result that is longer than
 * any process can take is refused before it fills the memory.
 */
final class Expansion {
  /** Linux starts no process whose command and environment are longer together. */
  static final int MOST = 6 << 20;

  private int left = MOST;

  /**
   * @throws MissingException if this string, with those before it, becomes too long
   */
  String of(String text, SortedMap<String, String> variables) throws MissingException {
    var expanded = new StringBuilder();
    int lastEnd = text.lastIndexOf(')');
    int at = 0;
    while (at < text.length()) {
      int dollar = text.indexOf('$', at);
      int plain = dollar < 0 ? text.length() : dollar;
      add(expanded, text.substring(at, plain));
      at = plain;
      if (text.startsWith("$(", at) && at < lastEnd) {
        int end = text.indexOf(')', at);
        String name = text.substring(at + 2, end);
        add(expanded, variables.getOrDefault(name, "$(" + name + ")"));
        at = end + 1;
      } else if (at < text.length()) {
        add(expanded, "$");
        at += text.startsWith("$$", at) ? 2 : 1;
      }
    }
    return expanded.toString();
  }

  private void add(StringBuilder expanded, String more) throws MissingException {
    left -= more.length();
    if (left < 0) {
      throw new MissingException(
          "the command and its variables are longer than %d characters once the references in them"
                  .formatted(MOST)
              + " are replaced: give large values in files of volumes");
    }
    expanded.append(more);
  }
}
