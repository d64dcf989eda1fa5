package dev.sluice.model;

/** Numbers of things in sentences. */
public final class Plural {
  private Plural() {}

  /**
   * Such as {@code 1 job}, and {@code 0 jobs} or {@code 2 jobs}.
   *
   * @param noun in the singular; its plural has an s more
   */
  public static String of(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
