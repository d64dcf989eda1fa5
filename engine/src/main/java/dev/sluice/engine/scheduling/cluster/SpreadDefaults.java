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
 * The default topology spread of pods without constraints of their own. Pods that a Service
 * selects, or that a ReplicaSet, StatefulSet or ReplicationController controls, prefer other nodes
 * and zones than their fellows, unless the {@link Profile} says otherwise. All other pods have no
 * such preference.
 *
 * <p>Threads: none; they belong to the scheduler.
 */
public final class SpreadDefaults {
  /** The owner of pods that none of the {@link #OWNERS} controls. */
  static final ObjectKey NO_OWNER = Kinds.REPLICA_SET.key("", "");

  private static final List<ResourceKind> OWNERS =
      List.of(Kinds.REPLICA_SET, Kinds.STATEFUL_SET, Kinds.REPLICATION_CONTROLLER);

  /** Kinds whose selector is a plain map of labels. */
  private static final List<ResourceKind> PLAIN =
      List.of(Kinds.SERVICE, Kinds.REPLICATION_CONTROLLER);

  /** The kinds whose selectors define which pods are spread together. */
  public static final List<ResourceKind> KINDS =
      List.of(Kinds.SERVICE, Kinds.REPLICA_SET, Kinds.STATEFUL_SET, Kinds.REPLICATION_CONTROLLER);

  /** The default constraints of Kubernetes, unless an administrator configures others. */
  public static final List<SpreadConstraint> WISHES =
      List.of(wish(SpreadTerm.HOSTNAME, 3), wish("topology.kubernetes.io/zone", 5));

  /** The selectors of Services, by namespace and Service; without empty ones. */
  private final TreeMap<String, SortedMap<ObjectKey, LabelSelector>> services = new TreeMap<>();

  private final TreeMap<ObjectKey, LabelSelector> owners = new TreeMap<>();

  SpreadDefaults() {}

  private static SpreadConstraint wish(String topologyKey, long maxSkew) {
    return new SpreadConstraint(topologyKey, maxSkew, false, 1, true, false, Tree.EMPTY, List.of());
  }

  /** Adds or updates an object of one of the {@link #KINDS}. */
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

  /** The controller of a pod, if it is one of the {@link #OWNERS}. */
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
    return NO_OWNER;
  }

  /** The terms of default constraints for a pod that has none of its own. */
  public List<SpreadTerm> terms(PodFacts pod, List<SpreadConstraint> constraints) {
    if (constraints.isEmpty()) {
      return List.of();
    }
    SortedMap<ObjectKey, LabelSelector> near =
        services.getOrDefault(pod.namespace(), Collections.emptySortedMap());
    LabelSelector owner = owners.get(pod.interPodTerms().owner());
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
