package dev.sluice.controllers.nodes.local;

import java.util.SortedMap;

/**
 * Puts the values of variables into a text: {@code $(NAME)} becomes the value of NAME, and stays as
 * it is where there is none; {@code $$} becomes one dollar sign.
 */
final class Expansion {
  private Expansion() {}

  static String of(String text, SortedMap<String, String> variables) {
    var expanded = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      char letter = text.charAt(at);
      char next = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
      int end = text.indexOf(')', at);
      if (letter != '$' || (next != '$' && (next != '(' || end < 0))) {
        expanded.append(letter);
        at++;
      } else if (next == '$') {
        expanded.append('$');
        at += 2;
      } else {
        String name = text.substring(at + 2, end);
        expanded.append(variables.getOrDefault(name, "$(" + name + ")"));
        at = end + 1;
      }
    }
    return expanded.toString();
  }
}
