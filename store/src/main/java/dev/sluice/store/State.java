package dev.sluice.store;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * All objects at one revision, by kind, namespace and name. Applying a change gives the next state;
 * live writes, the replay of a journal and old snapshots all go through that one method. Threads:
 * immutable.
 */
final class State implements Snapshot {
  static final State EMPTY = new State(0, PersistentMap.empty());

  private final long revision;
  private final PersistentMap<KindName, PersistentMap<String, PersistentMap<String, ApiObject>>>
      kinds;

  private State(
      long revision,
      PersistentMap<KindName, PersistentMap<String, PersistentMap<String, ApiObject>>> kinds) {
    this.revision = revision;
    this.kinds = kinds;
  }

  /** The revision at which a stored object was written. */
  static long revisionOf(ApiObject stored) {
    return Long.parseLong(stored.resourceVersion());
  }

  @Override
  public long revision() {
    return revision;
  }

  @Override
  public Optional<ApiObject> get(ObjectKey key) {
    return namespaces(key.kind()).get(key.namespace()).flatMap(objects -> objects.get(key.name()));
  }

  @Override
  public List<ApiObject> list(ResourceKind kind) {
    var found = new ArrayList<ApiObject>();
    namespaces(kind).forEach((_, objects) -> objects.forEach((_, object) -> found.add(object)));
    return Collections.unmodifiableList(found);
  }

  @Override
  public List<ApiObject> list(ResourceKind kind, String namespace) {
    var found = new ArrayList<ApiObject>();
    namespaces(kind)
        .get(namespace)
        .ifPresent(objects -> objects.forEach((_, object) -> found.add(object)));
    return Collections.unmodifiableList(found);
  }

  /** Visits all objects. */
  void forEach(BiConsumer<StoreKey, ApiObject> action) {
    kinds.forEach((kind, namespaces) ->
        namespaces.forEach((namespace, objects) ->
            objects.forEach(
                (name, object) -> action.accept(new StoreKey(kind, namespace, name), object))));
  }

  /** The state after a later change. */
  State apply(Change change) {
    ObjectKey key = change.key();
    var namespaces = namespaces(key.kind());
    var objects = namespaces.get(key.namespace()).orElseGet(PersistentMap::empty);
    var changed =
        change
            .after()
            .map(object -> objects.with(nameIn(object, key), object))
            .orElseGet(() -> objects.without(key.name()));
    return new State(
        change.revision(),
        withInner(kinds, KindName.of(key.kind()), withInner(namespaces, key.namespace(), changed)));
  }

  /** The name as the object itself has it: the same text would take room twice. */
  private static String nameIn(ApiObject object, ObjectKey key) {
    String own = object.name();
    return own.equals(key.name()) ? own : key.name();
  }

  /** These objects, said to be those of a later revision: what came between is gone again. */
  State at(long laterRevision) {
    return new State(laterRevision, kinds);
  }

  private PersistentMap<String, PersistentMap<String, ApiObject>> namespaces(ResourceKind kind) {
    return kinds.get(KindName.of(kind)).orElseGet(PersistentMap::empty);
  }

  /** Emptied inner maps are dropped, or every namespace that ever was would be kept for ever. */
  private static <K extends Comparable<K>, L extends Comparable<L>, V>
      PersistentMap<K, PersistentMap<L, V>> withInner(
          PersistentMap<K, PersistentMap<L, V>> outer, K key, PersistentMap<L, V> inner) {
    return inner.isEmpty() ? outer.without(key) : outer.with(key, inner);
  }
}
