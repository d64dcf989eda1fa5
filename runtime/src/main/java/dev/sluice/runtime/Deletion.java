package dev.sluice.runtime;

import java.util.OptionalLong;

/**
 * How an object is deleted.
 *
 * @param graceSeconds how long a pod gets to end by itself; empty for what the pod asks for
 */
public record Deletion(Propagation propagation, OptionalLong graceSeconds) {

  /** What happens to the objects that the deleted one owns. */
  public enum Propagation {
    /** They go after it. */
    BACKGROUND("Background"),
    /** They go before it. */
    FOREGROUND("Foreground"),
    /** They stay. */
    ORPHAN("Orphan");

    private final String word;

    Propagation(String word) {
      this.word = word;
    }

    /** The word for it in the API. */
    public String word() {
      return word;
    }
  }

  public static final Deletion BACKGROUND =
      new Deletion(Propagation.BACKGROUND, OptionalLong.empty());

  /** Without any grace. */
  public static final Deletion NOW = new Deletion(Propagation.BACKGROUND, OptionalLong.of(0));
}
