package dev.sluice.engine.flavor;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The flavors that were looked at for a pod set, by name, apart from one that simply fits.
 *
 * @param attempts at least one
 */
public record Considered(String podSet, List<FlavorAttempt> attempts) {
  public Considered {
    attempts = attempts.stream().sorted(Comparator.comparing(FlavorAttempt::flavor)).toList();
  }

  /** What a person is told of all pod sets; empty if there is nothing to tell. */
  public static String text(List<Considered> all) {
    return all.stream().map(Considered::text).collect(Collectors.joining(" | "));
  }

  private String text() {
    return podSet
        + ": "
        + attempts.stream().map(FlavorAttempt::text).collect(Collectors.joining(", "));
  }
}
