package dev.sluice.engine.scheduling.framework;

import java.util.List;
import java.util.Optional;

/**
 * The result of filtering a node for a pod.
 *
 * @param by the filter that rejected the node, if one did
 * @param reasons why, in the words of the condition's message; none if the pod fits
 * @param resolvable whether preemption could make the pod fit
 */
public record FilterResult(Optional<Plugin> by, List<String> reasons, boolean resolvable) {
  public static final FilterResult FITS = new FilterResult(Optional.empty(), List.of(), false);

  public FilterResult {
    reasons = List.copyOf(reasons);
    if (by.isPresent() == reasons.isEmpty()) {
      throw new IllegalArgumentException(
          "an objection needs a filter and reasons, but got %s and %s".formatted(by, reasons));
    }
  }

  /** Preemption could help. */
  public static FilterResult rejected(Plugin by, String... reasons) {
    return new FilterResult(Optional.of(by), List.of(reasons), true);
  }

  /** Preemption would not help. */
  public static FilterResult unresolvable(Plugin by, String... reasons) {
    return new FilterResult(Optional.of(by), List.of(reasons), false);
  }

  public boolean fits() {
    return by.isEmpty();
  }
}
