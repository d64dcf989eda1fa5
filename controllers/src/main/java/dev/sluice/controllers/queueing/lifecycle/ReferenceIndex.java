package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.ObjectEvent;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * An index of the references from objects of one kind to others: it finds the objects that a change
 * concerns without a search through all. It needs every event of the watch of its kind.
 *
 * <p>Threads: safe; the watches of different kinds run in parallel.
 */
final class ReferenceIndex {
  private final ResourceKind kind;
  private final Function<ApiObject, List<ObjectKey>> references;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<ObjectKey, SortedSet<ObjectKey>> byTarget = new TreeMap<>();
  private final TreeMap<ObjectKey, List<ObjectKey>> bySource = new TreeMap<>();

  /**
   * @param references the objects that an object of the kind refers to
   */
  ReferenceIndex(ResourceKind kind, Function<ApiObject, List<ObjectKey>> references) {
    this.kind = kind;
    this.references = references;
  }

  /** Updates the index after an event, and returns the previous references of the object. */
  List<ObjectKey> changed(ObjectEvent event) {
    ObjectKey source = event.object().key(kind);
    List<ObjectKey> now =
        event.type() == ObjectEvent.Type.DELETED ? List.of() : references.apply(event.object());
    lock.lock();
    try {
      List<ObjectKey> before = bySource.getOrDefault(source, List.of());
      if (!now.equals(before)) {
        before.forEach(target -> forget(target, source));
        now.forEach(target -> byTarget.computeIfAbsent(target, _ -> new TreeSet<>()).add(source));
        if (now.isEmpty()) {
          bySource.remove(source);
        } else {
          bySource.put(source, now);
        }
      }
      return before;
    } finally {
      lock.unlock();
    }
  }

  private void forget(ObjectKey target, ObjectKey source) {
    SortedSet<ObjectKey> sources = byTarget.get(target);
    if (sources != null) {
      sources.remove(source);
      if (sources.isEmpty()) {
        byTarget.remove(target);
      }
    }
  }

  /** The objects that refer to an object, in the order of keys. */
  List<ObjectKey> to(ObjectKey target) {
    lock.lock();
    try {
      return List.copyOf(byTarget.getOrDefault(target, new TreeSet<>()));
    } finally {
      lock.unlock();
    }
  }

  boolean isNamed(ObjectKey target) {
    lock.lock();
    try {
      return byTarget.containsKey(target);
    } finally {
      lock.unlock();
    }
  }
}
