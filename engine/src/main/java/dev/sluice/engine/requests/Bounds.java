package dev.sluice.engine.requests;

import dev.sluice.model.Quantities;
import dev.sluice.model.core.LimitRange;
import dev.sluice.model.core.pod.ResourceNeeds;
import java.util.List;

/**
 * The LimitRanges of a namespace combined for one type: the first default that is given, and the
 * tightest bounds.
 */
record Bounds(
    Quantities defaultLimits, Quantities defaultRequests, Quantities least, Quantities most) {
  private static final Bounds NONE =
      new Bounds(Quantities.NONE, Quantities.NONE, Quantities.NONE, Quantities.NONE);

  static Bounds ofContainers(List<LimitRange> ranges) {
    return of("Container", ranges);
  }

  static Bounds ofPods(List<LimitRange> ranges) {
    return of("Pod", ranges);
  }

  private static Bounds of(String type, List<LimitRange> ranges) {
    return ranges.stream()
        .flatMap(range -> range.items().stream())
        .filter(item -> item.type().equals(type))
        .map(Bounds::of)
        .reduce(NONE, Bounds::and);
  }

  private static Bounds of(LimitRange.Item item) {
    if (!item.type().equals("Container")) {
      return new Bounds(item.defaultLimits(), item.defaultRequests(), item.min(), item.max());
    }
    // Kubernetes completes the defaults of containers like this when it stores a LimitRange.
    Quantities limits = item.defaultLimits().orElse(item.max());
    Quantities requests = item.defaultRequests().orElse(limits).orElse(item.min());
    return new Bounds(limits, requests, item.min(), item.max());
  }

  private Bounds and(Bounds other) {
    return new Bounds(
        defaultLimits.orElse(other.defaultLimits),
        defaultRequests.orElse(other.defaultRequests),
        least.max(other.least),
        most.min(other.most));
  }

  /**
   * Fills in missing requests and limits. The container's own limit replaces a missing request
   * before any default does: Kubernetes uses this order when it creates the pod, so any other order
   * would count less than the pod requests.
   */
  ResourceNeeds fill(ResourceNeeds needs) {
    Quantities requests = needs.requests().orElse(needs.limits());
    Quantities limits = needs.limits().orElse(defaultLimits);
    return new ResourceNeeds(requests.orElse(defaultRequests).orElse(limits), limits);
  }
}
