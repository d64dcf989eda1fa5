package dev.sluice.testkit;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The objects of a {@link FakeCluster} with their revisions, and its watches. The rules are in the
 * cluster.
 */
final class FakeObjects {
  private record Watch(ResourceKind kind, Consumer<ObjectEvent> listener) {}

  private final TreeMap<ObjectKey, ApiObject> objects = new TreeMap<>();
  private final List<Watch> watches = new ArrayList<>();
  private long revision;
  private long writes;
  private long stopAt = Long.MAX_VALUE;

  /** Throws {@link Stopped} after this number of writes. */
  void stopAfter(long count) {
    stopAt = count == Long.MAX_VALUE ? count : writes + count;
  }

  long writes() {
    return writes;
  }

  Optional<ApiObject> get(ObjectKey key) {
    return Optional.ofNullable(objects.get(key));
  }

  /** The objects of a kind from a namespace on, as long as they are {@code wanted}. */
  List<ApiObject> list(ResourceKind kind, String first, Predicate<ApiObject> wanted) {
    return objects.tailMap(kind.key(first, "")).entrySet().stream()
        .takeWhile(entry -> entry.getKey().kind().equals(kind) && wanted.test(entry.getValue()))
        .map(Map.Entry::getValue)
        .toList();
  }

  Subscription watch(ResourceKind kind, Consumer<ObjectEvent> listener) {
    var watch = new Watch(kind, listener);
    list(kind, "", _ -> true).forEach(object -> listener.accept(ObjectEvent.added(object)));
    watches.add(watch);
    return () -> watches.remove(watch);
  }

  /** Stores an object under the next revision. */
  ApiObject put(ObjectKey key, ApiObject object) {
    ApiObject kept = revised(object);
    ApiObject before = objects.put(key, kept);
    notifyWatches(
        key.kind(), before == null ? ObjectEvent.added(kept) : ObjectEvent.modified(before, kept));
    return kept;
  }

  /** Removes an object; the event has its last state. */
  ApiObject remove(ObjectKey key, ApiObject object) {
    objects.remove(key);
    ApiObject last = revised(object);
    notifyWatches(key.kind(), ObjectEvent.deleted(last));
    return last;
  }

  private ApiObject revised(ApiObject object) {
    return object.withMetadata("resourceVersion", Long.toString(++revision));
  }

  private void notifyWatches(ResourceKind kind, ObjectEvent event) {
    List.copyOf(watches).stream()
        .filter(watch -> watch.kind().equals(kind))
        .forEach(watch -> watch.listener().accept(event));
    if (++writes >= stopAt) {
      throw new Stopped();
    }
  }
}
