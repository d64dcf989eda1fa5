package dev.sluice.kubernetes;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.ObjectEvent;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind as reads show them, fed by two sources: the watch, which is complete and
 * in order but late, and the answers to our own writes, which are prompt.
 *
 * <p>It never goes back in time: an object is replaced only by a newer revision of it, and an
 * object whose deletion was answered stays away although the watch still speaks of it. Every change
 * is passed to one consumer in the order in which reads show it, right after they do.
 *
 * <p>Threads: safe. Reads take no lock; the consumer is called under the lock and must not wait.
 */
final class KindCache {
  private static final Comparator<ObjectKey> ORDER =
      Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

  private final ResourceKind kind;
  private final InFlightWrites writes;
  private final Consumer<ObjectEvent> changes;
  private final ConcurrentSkipListMap<ObjectKey, ApiObject> current =
      new ConcurrentSkipListMap<>(ORDER);

  private final ReentrantLock lock = new ReentrantLock();

  /** What only an answer has shown so far. If a later list lacks it, it went unseen. */
  private final Set<ObjectKey> unconfirmed = new HashSet<>();

  /** The uids that are gone while the watch may still speak of them, and how many lists ago. */
  private final Map<String, Integer> tombstones = new HashMap<>();

  private String listed = "";

  KindCache(ResourceKind kind, InFlightWrites writes, Consumer<ObjectEvent> changes) {
    this.kind = kind;
    this.writes = writes;
    this.changes = changes;
  }

  Optional<ApiObject> get(ObjectKey key) {
    return Optional.ofNullable(current.get(key));
  }

  List<ApiObject> list() {
    return List.copyOf(current.values());
  }

  List<ApiObject> list(String namespace) {
    // No name sorts before the empty one, and no namespace between one and itself with a NUL.
    return List.copyOf(
        current
            .subMap(new ObjectKey(kind, namespace, ""), new ObjectKey(kind, namespace + "\0", ""))
            .values());
  }

  /** Calls {@code action} with what there is, between two changes. */
  void betweenChanges(Consumer<List<ApiObject>> action) {
    locked(() -> action.accept(list()));
  }

  /** The watch, or a list, shows an object. */
  void shown(ApiObject object) {
    locked(() -> {
      ObjectKey key = object.key(kind);
      ApiObject before = current.get(key);
      if (before != null && before.uid().equals(object.uid())) {
        unconfirmed.remove(key);
      }
      if (tombstones.containsKey(object.uid()) || !isNewer(object, before)) {
        return;
      }
      unconfirmed.remove(key);
      if (before != null && !before.uid().equals(object.uid())) {
        writes.gone(before.uid());
      }
      put(key, before, object);
    });
  }

  /** The watch, or a list that lacks it, shows that an object is gone. */
  void shownGone(ApiObject last) {
    locked(() -> {
      tombstones.remove(last.uid());
      writes.gone(last.uid());
      ObjectKey key = last.key(kind);
      ApiObject before = current.get(key);
      if (before != null && before.uid().equals(last.uid())) {
        boolean knowsMore = ResourceVersions.isNewer(last.resourceVersion(), revision(before));
        remove(key, before, knowsMore ? last : before);
      }
    });
  }

  /** A list is over; everything in it has been shown. */
  void shownAll(String resourceVersion) {
    locked(() -> {
      listed = ResourceVersions.newest(listed, resourceVersion);
      for (ObjectKey key : Set.copyOf(unconfirmed)) {
        ApiObject object = current.get(key);
        if (object != null && !ResourceVersions.isNewer(revision(object), listed)) {
          writes.gone(object.uid());
          remove(key, object, object);
        }
      }
      // A list may have been asked for just before the deletion it does not show, so one list that
      // follows a tombstone proves nothing; the second does.
      tombstones.replaceAll((uid, lists) -> lists + 1);
      tombstones.values().removeIf(lists -> lists > 1);
    });
  }

  /** A write was answered with the object as it is now. */
  void answered(InFlightWrites.Write write, ApiObject object) {
    locked(() -> {
      if (write.outlived(object.uid()) || tombstones.containsKey(object.uid())) {
        return;
      }
      ObjectKey key = object.key(kind);
      ApiObject before = current.get(key);
      boolean known = before != null && before.uid().equals(object.uid());
      // What a list should have shown and did not is gone again.
      boolean missed = !known && !ResourceVersions.isNewer(revision(object), listed);
      if (missed || !isNewer(object, before)) {
        return;
      }
      if (!known) {
        unconfirmed.add(key);
      }
      if (!known && before != null) {
        tombstones.put(before.uid(), 0);
      }
      put(key, before, object);
    });
  }

  /** A deletion was answered: the object is gone. */
  void answeredGone(InFlightWrites.Write write, ObjectKey key, String uid) {
    locked(() -> {
      if (!write.outlived(uid)) {
        tombstones.put(uid, 0);
      }
      ApiObject before = current.get(key);
      if (before != null && before.uid().equals(uid)) {
        remove(key, before, before);
      }
    });
  }

  /** How many deletions the watch has not confirmed yet. */
  int awaitedDeletions() {
    lock.lock();
    try {
      return tombstones.size();
    } finally {
      lock.unlock();
    }
  }

  private static boolean isNewer(ApiObject object, @Nullable ApiObject before) {
    return before == null || ResourceVersions.isNewer(revision(object), revision(before));
  }

  private static String revision(ApiObject object) {
    return object.resourceVersion();
  }

  private void put(ObjectKey key, @Nullable ApiObject before, ApiObject object) {
    boolean same = before != null && before.uid().equals(object.uid());
    if (before != null && !same) {
      remove(key, before, before);
    }
    current.put(key, object);
    changes.accept(
        before != null && same ? ObjectEvent.modified(before, object) : ObjectEvent.added(object));
  }

  private void remove(ObjectKey key, ApiObject before, ApiObject last) {
    current.remove(key);
    unconfirmed.remove(key);
    changes.accept(new ObjectEvent(ObjectEvent.Type.DELETED, last, Optional.of(before)));
  }

  private void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }
}
