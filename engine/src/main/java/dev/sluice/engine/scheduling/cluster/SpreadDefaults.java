package dev.sluice.engine.scheduling.cluster;

import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.LabelSelector;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.SpreadConstraint;
import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How pods are spread that do not say it themselves. Those that a Service selects, or that a
 * ReplicaSet, StatefulSet or ReplicationController owns, would rather be on other nodes and in
 * other zones than the others of their kind, unless the {@link Profile} says otherwise. All other
 * pods have no such wish.
 *
 * <p>Threads: none; they belong to the scheduler.
 */
public final class SpreadDefaults {
  /** Says of a pod that nobody owns it for whom it would be spread. */
  static final ObjectKey NOBODY = Kinds.REPLICA_SET.key("", "");

  private static final List<ResourceKind> OWNERS =
      List.of(Kinds.REPLICA_SET, Kinds.STATEFUL_SET, Kinds.REPLICATION_CONTROLLER);

  /** Their selectors are nothing but labels. */
  private static final List<ResourceKind> PLAIN =
      List.of(Kinds.SERVICE, Kinds.REPLICATION_CONTROLLER);

  /** What must be known to find the others of a pod's kind. */
  public static final List<ResourceKind> KINDS =
      List.of(Kinds.SERVICE, Kinds.REPLICA_SET, Kinds.STATEFUL_SET, Kinds.REPLICATION_CONTROLLER);

  /** What Kubernetes wishes for such pods unless an administrator says otherwise. */
  public static final List<SpreadConstraint> WISHES =
      List.of(wish(SpreadTerm.HOSTNAME, 3), wish("topology.kubernetes.io/zone", 5));

  /** What Services select, by namespace and Service; without those that select nothing. */
  private final TreeMap<String, SortedMap<ObjectKey, LabelSelector>> services = new TreeMap<>();

  private final TreeMap<ObjectKey, LabelSelector> owners = new TreeMap<>();

  SpreadDefaults() {}

  private static SpreadConstraint wish(String topologyKey, long maxSkew) {
    return new SpreadConstraint(topologyKey, maxSkew, false, 1, true, false, Tree.EMPTY, List.of());
  }

  /** Takes note of an object of one of the {@link #KINDS}. */
  public void put(ObjectKey key, ApiObject object) {
    remove(key);
    boolean plain = PLAIN.contains(key.kind());
    Tree tree = object.spec().tree("selector");
    var selector = new LabelSelector(plain ? Tree.of("matchLabels", tree) : tree);
    if (!key.kind().equals(Kinds.SERVICE)) {
      owners.put(key, selector);
    } else if (!selector.isEmpty()) {
      services.computeIfAbsent(key.namespace(), _ -> new TreeMap<>()).put(key, selector);
    }
  }

  /** Forgets an object that is gone. */
  public void remove(ObjectKey key) {
    owners.remove(key);
    services.computeIfPresent(
        key.namespace(),
        (_, some) -> {
          some.remove(key);
          return some.isEmpty() ? null : some;
        });
  }

  /** Who owns a pod, if that decides how it is spread. */
  static ObjectKey owner(Pod pod) {
    Optional<OwnerReference> owner = pod.object().controller();
    if (owner.isPresent()) {
      for (ResourceKind kind : OWNERS) {
        boolean same =
            kind.kind().equals(owner.get().kind())
                && kind.apiVersion().equals(owner.get().apiVersion());
        if (same) {
          return kind.key(pod.namespace(), owner.get().name());
        }
      }
    }
    return NOBODY;
  }

  /** What some constraints mean for a pod that has none of its own. */
  public List<SpreadTerm> terms(PodFacts pod, List<SpreadConstraint> constraints) {
    if (constraints.isEmpty()) {
      return List.of();
    }
    SortedMap<ObjectKey, LabelSelector> near =
        services.getOrDefault(pod.namespace(), Collections.emptySortedMap());
    LabelSelector owner = owners.get(pod.company().owner());
    if (near.isEmpty() && owner == null) {
      return List.of();
    }
    var requirements = new LinkedHashSet<>(owner == null ? List.of() : owner.requirements());
    for (LabelSelector service : near.values()) {
      if (service.matches(pod.labels())) {
        requirements.addAll(service.requirements());
      }
    }
    if (requirements.isEmpty()) {
      return List.of();
    }
    var kin = new LabelSelector(List.copyOf(requirements));
    return constraints.stream().map(rule -> new SpreadTerm(rule, kin)).toList();
  }
}
