package dev.sluice.controllers.housekeeping;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.ResourceQuota;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The controller of ResourceQuotas: writes what their namespaces use into their status. Counting
 * looks at all objects that a quota covers, so the first change is counted at once and further ones
 * within a second.
 */
public final class ResourceQuotaController implements Controller {
  private static final Duration BETWEEN_COUNTS = Duration.ofSeconds(1);

  /** How often objects of custom kinds are counted, since these are not watched here. */
  private static final Duration UNWATCHED = Duration.ofSeconds(10);

  private final Cluster cluster;
  private final List<ResourceKind> kinds;
  private final TreeMap<ObjectKey, Instant> counted = new TreeMap<>();

  /**
   * @param kinds the kinds whose objects are watched and counted
   */
  public ResourceQuotaController(Cluster cluster, List<ResourceKind> kinds) {
    this.cluster = cluster;
    this.kinds = kinds.stream().filter(ResourceKind::namespaced).toList();
  }

  @Override
  public String name() {
    return "quota-status";
  }

  @Override
  public List<Trigger> triggers() {
    var triggers = new ArrayList<Trigger>();
    triggers.add(Trigger.on(Kinds.RESOURCE_QUOTA));
    kinds.forEach(kind -> triggers.add(new Trigger(kind, event -> concerned(kind, event))));
    return triggers;
  }

  private List<ObjectKey> concerned(ResourceKind kind, ObjectEvent event) {
    if (event.type() == ObjectEvent.Type.MODIFIED && !isEnding(kind, event)) {
      return List.of();
    }
    return cluster.list(Kinds.RESOURCE_QUOTA, event.object().namespace()).stream()
        .map(ResourceQuota::new)
        .filter(quota -> quota.concerns(kind))
        .map(ResourceQuota::key)
        .toList();
  }

  /** Of the updates of a pod, only its end changes what it uses. */
  private static boolean isEnding(ResourceKind kind, ObjectEvent event) {
    if (!kind.equals(Kinds.POD)) {
      return false;
    }
    var now = new Pod(event.object());
    Optional<Pod> before = event.before().map(Pod::new);
    return before.map(Pod::isTerminal).orElse(false) != now.isTerminal()
        || !before.flatMap(ResourceQuota::end).equals(ResourceQuota.end(now));
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<ResourceQuota> found = cluster.get(key).map(ResourceQuota::new);
    if (found.isEmpty()) {
      counted.remove(key);
      return Outcome.DONE;
    }
    Instant now = cluster.time().now();
    Instant next = counted.getOrDefault(key, Instant.EPOCH).plus(BETWEEN_COUNTS);
    if (now.isBefore(next) && isCounted(found.get())) {
      return Outcome.again(Duration.between(now, next));
    }
    counted.put(key, now);
    return count(found.get(), now);
  }

  /** Whether the status is about what the quota limits now. */
  private static boolean isCounted(ResourceQuota quota) {
    return quota.object().status().tree("hard").equals(quota.hard().tree());
  }

  private Outcome count(ResourceQuota quota, Instant now) {
    var used = new TreeMap<String, Quantity>();
    Optional<Instant> change = Optional.empty();
    for (ResourceKind kind : kinds(quota)) {
      for (ApiObject object : cluster.list(kind, quota.object().namespace())) {
        quota
            .usage(kind, object, now)
            .forEach((resource, quantity) -> used.merge(resource, quantity, Quantity::plus));
        change = kind.equals(Kinds.POD) ? sooner(change, new Pod(object), now) : change;
      }
    }
    Tree status = quota.statusOf(new Quantities(used));
    if (!status.equals(quota.object().status())) {
      cluster.patchStatus(Kinds.RESOURCE_QUOTA, quota.object(), status);
    }
    boolean watched = kinds.containsAll(kinds(quota));
    Optional<Instant> again = watched ? change : sooner(change, now.plus(UNWATCHED));
    return again.map(moment -> Outcome.again(Duration.between(now, moment))).orElse(Outcome.DONE);
  }

  /** The earlier of a time and the one at which a pod stops counting. */
  private static Optional<Instant> sooner(Optional<Instant> moment, Pod pod, Instant now) {
    Optional<Instant> end = ResourceQuota.end(pod).filter(now::isBefore);
    return pod.isTerminal() || end.isEmpty() ? moment : sooner(moment, end.get());
  }

  private static Optional<Instant> sooner(Optional<Instant> first, Instant second) {
    return Optional.of(first.filter(second::isAfter).orElse(second));
  }

  private List<ResourceKind> kinds(ResourceQuota quota) {
    var all = new TreeMap<String, ResourceKind>();
    CustomKinds.defined(cluster, kinds).stream()
        .filter(ResourceKind::namespaced)
        .forEach(kind -> all.put(kind.qualifiedPlural(), kind));
    kinds.forEach(kind -> all.put(kind.qualifiedPlural(), kind));
    return all.values().stream().filter(quota::concerns).toList();
  }
}
