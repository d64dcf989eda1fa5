package dev.sluice.controllers.housekeeping;

import dev.sluice.controllers.ChangedKeys;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.Cluster;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The owner graph: which objects name which others in their owner references.
 *
 * <p>Threads: {@link #changed} is safe; the rest belongs to the garbage collector.
 */
final class OwnerGraph {
  private static final LinkedHashSet<ObjectKey> NONE = new LinkedHashSet<>();

  private final Cluster cluster;
  private final Supplier<List<ResourceKind>> kinds;
  private final ChangedKeys changed = new ChangedKeys();
  private final LinkedHashMap<ObjectKey, LinkedHashSet<ObjectKey>> dependents =
      new LinkedHashMap<>();
  private final LinkedHashMap<ObjectKey, List<ObjectKey>> owners = new LinkedHashMap<>();

  /**
   * @param kinds the kinds whose objects it knows, which may become more
   */
  OwnerGraph(Cluster cluster, Supplier<List<ResourceKind>> kinds) {
    this.cluster = cluster;
    this.kinds = kinds;
  }

  void changed(ObjectKey key) {
    changed.add(key);
  }

  /**
   * The key of the owner that a reference names; empty if its kind is unknown here, or if a
   * cluster-scoped object names a namespaced owner, whose namespace is unknown then.
   */
  Optional<ObjectKey> owner(OwnerReference reference, ObjectKey dependent) {
    return kind(reference)
        .filter(kind -> !kind.namespaced() || dependent.kind().namespaced())
        .map(kind -> kind.key(dependent.namespace(), reference.name()));
  }

  private Optional<ResourceKind> kind(OwnerReference reference) {
    return kinds.get().stream().filter(kind -> isOf(reference, kind)).findFirst();
  }

  /** Whether a reference names an owner of a kind, in whatever version. */
  private static boolean isOf(OwnerReference reference, ResourceKind kind) {
    return kind.kind().equals(reference.kind()) && kind.group().equals(reference.group());
  }

  /** Whether an object names an owner of one of these kinds. */
  static boolean namesAny(ApiObject object, List<ResourceKind> kinds) {
    return object.owners().stream()
        .anyMatch(owner -> kinds.stream().anyMatch(kind -> isOf(owner, kind)));
  }

  /**
   * Whether a reference names an owner in another namespace, or a namespaced owner from a
   * cluster-scoped object.
   */
  boolean isElsewhere(OwnerReference reference, ObjectKey dependent) {
    Optional<ResourceKind> kind = kind(reference).filter(ResourceKind::namespaced);
    Optional<ObjectKey> here = owner(reference, dependent);
    boolean isHere =
        here.flatMap(cluster::get).filter(found -> found.uid().equals(reference.uid())).isPresent();
    if (kind.isEmpty() || isHere) {
      return false;
    }
    // Searched only if the owner is not in the same namespace, which is rare.
    return here.isEmpty()
        || cluster.list(kind.get()).stream()
            .anyMatch(object -> object.uid().equals(reference.uid()));
  }

  /** The objects that name this one as an owner, in order; the uid in the reference may differ. */
  List<ObjectKey> dependents(ObjectKey owner) {
    catchUp();
    return dependents.getOrDefault(owner, NONE).stream().sorted().toList();
  }

  /** Whether any object that names this one as an owner matches. */
  boolean anyDependent(ObjectKey owner, Predicate<ObjectKey> such) {
    catchUp();
    return dependents.getOrDefault(owner, NONE).stream().anyMatch(such);
  }

  private void catchUp() {
    for (ObjectKey key : changed.takeAll()) {
      forget(key);
      cluster.get(key).ifPresent(object -> learn(key, object));
    }
  }

  private void learn(ObjectKey key, ApiObject object) {
    List<ObjectKey> named =
        object.owners().stream()
            .flatMap(reference -> owner(reference, key).stream())
            .distinct()
            .toList();
    if (named.isEmpty()) {
      return;
    }
    owners.put(key, named);
    named.forEach(owner -> dependents.computeIfAbsent(owner, _ -> new LinkedHashSet<>()).add(key));
  }

  private void forget(ObjectKey key) {
    List<ObjectKey> before = owners.remove(key);
    if (before == null) {
      return;
    }
    for (ObjectKey owner : before) {
      dependents.computeIfPresent(
          owner, (_, keys) -> keys.remove(key) && keys.isEmpty() ? null : keys);
    }
  }
}
