package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A ResourceQuota: the limits on the total usage of a namespace. */
public record ResourceQuota(ApiObject object) {

  public ObjectKey key() {
    return object.key(Kinds.RESOURCE_QUOTA);
  }

  public String name() {
    return object.name();
  }

  /** The hard limit of each resource. */
  public Quantities hard() {
    return Quantities.of(object.spec().tree("hard"));
  }

  /** The scopes, all of which a pod must match. */
  public List<QuotaScope> scopes() {
    return Stream.concat(
            object.spec().textItems("scopes").stream().map(QuotaScope::of),
            object.spec().trees("scopeSelector", "matchExpressions").stream().map(QuotaScope::of))
        .toList();
  }

  /** Whether objects of a kind can use any of its resources. */
  public boolean concerns(ResourceKind kind) {
    Quantities hard = hard();
    if (kind.equals(Kinds.POD)) {
      return hard.byResource().keySet().stream().anyMatch(QuotaUsage::isOfPods);
    }
    return scopes().isEmpty() && QuotaUsage.counts(kind).stream().anyMatch(name -> hard.has(name));
  }

  /** The usage of an object now, without zeros. */
  public Quantities usage(ResourceKind kind, ApiObject object, Instant now) {
    if (!kind.equals(Kinds.POD)) {
      return scopes().isEmpty() ? limited(QuotaUsage.of(kind)) : Quantities.NONE;
    }
    var pod = new Pod(object);
    boolean covered = scopes().stream().allMatch(scope -> scope.covers(pod));
    return covered ? limited(QuotaUsage.of(pod, now)) : Quantities.NONE;
  }

  private Quantities limited(Quantities usage) {
    Quantities hard = hard();
    var some = new TreeMap<String, Quantity>();
    usage.forEach((resource, quantity) -> {
      if (hard.has(resource) && quantity.compareTo(Quantity.ZERO) != 0) {
        some.put(resource, quantity);
      }
    });
    return new Quantities(some);
  }

  /**
   * The resources that containers of a pod must specify, since the quota limits them, but do not:
   * {@code must specify limits.cpu for: main}. Empty if none is missing.
   */
  public String unsaid(Pod pod) {
    boolean covered = scopes().stream().allMatch(scope -> scope.covers(pod));
    return covered ? QuotaUsage.unsaid(hard().byResource().keySet(), pod.spec()) : "";
  }

  /** The time from which a terminating pod no longer counts, whether or not it has ended. */
  public static Optional<Instant> end(Pod pod) {
    return QuotaUsage.end(pod);
  }

  /** The status with the counted usage of all limited resources. */
  public Tree statusOf(Quantities counted) {
    var used = new TreeMap<String, String>();
    hard().forEach((resource, most) -> used.put(resource, counted.get(resource).toString()));
    return Tree.of("hard", hard().tree(), "used", Tree.of(used));
  }
}
