package dev.sluice.engine.flavor;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The flavors that were considered for a pod set, by name, without one that fits without borrowing.
 *
 * @param attempts at least one
 */
public record Considered(String podSet, List<FlavorAttempt> attempts) {
  public Considered {
    attempts = attempts.stream().sorted(Comparator.comparing(FlavorAttempt::flavor)).toList();
  }

  /** The message for all pod sets; empty if there are none. */
  public static String text(List<Considered> all) {
    return all.stream().map(Considered::text).collect(Collectors.joining(" | "));
  }

  private String text() {
    return podSet
        + ": "
        + attempts.stream().map(FlavorAttempt::text).collect(Collectors.joining(", "));
  }
}
