package dev.sluice.engine.scheduling.framework;

import java.util.List;
import java.util.Optional;

/**
 * What a filter says of a pod on a node.
 *
 * @param by the filter that objects, if one does
 * @param reasons what it objects to, in the words that users are told; none if the pod fits
 * @param resolvable whether the pod would fit if other pods left the node
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

  /** Other pods could make room by leaving. */
  public static FilterResult rejected(Plugin by, String... reasons) {
    return new FilterResult(Optional.of(by), List.of(reasons), true);
  }

  /** Whatever other pods do, this pod stays away. */
  public static FilterResult unresolvable(Plugin by, String... reasons) {
    return new FilterResult(Optional.of(by), List.of(reasons), false);
  }

  public boolean fits() {
    return by.isEmpty();
  }
}
