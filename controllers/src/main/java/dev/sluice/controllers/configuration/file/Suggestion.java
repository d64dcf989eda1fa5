package dev.sluice.controllers.configuration.file;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** A suggestion for an unknown name. */
public final class Suggestion {
  private static final int MAX_LENGTH = 80;

  private Suggestion() {}

  /** A phrase such as {@code "; did you mean timeout?"}, or empty if no name is similar. */
  public static String of(String unknown, Collection<String> known) {
    if (unknown.length() > MAX_LENGTH) {
      return "";
    }
    int nearEnough = Math.max(2, unknown.length() / 4);
    return known.stream()
        .filter(name -> distance(unknown, name) <= nearEnough)
        .min(
            Comparator.comparingInt((String name) -> distance(unknown, name))
                .thenComparing(Comparator.naturalOrder()))
        .map(name -> "; did you mean %s?".formatted(name))
        .orElse("");
  }

  /** The edit distance, regardless of case. */
  private static int distance(String from, String to) {
    String a = from.toLowerCase(Locale.ROOT);
    String b = to.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
