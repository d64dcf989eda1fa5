package dev.sluice.controllers;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * An index of the objects of one kind by terms that each of them names, such as its owners or its
 * queue, so that a controller finds the objects of a term without reading all objects.
 *
 * <p>Every watch event of the kind must be followed by {@link #changed}. A controller that needs to
 * find what it has just written writes through a {@link NotifyingCluster}. An update reads the
 * object from the cluster, so an event that arrives late never takes the index back.
 *
 * <p>Threads: safe. The lock is held over a read of one object, which never waits, so that of two
 * updates of an object the newer one remains.
 *
 * @param <T> the type of the terms
 */
public final class ObjectIndex<T extends Comparable<? super T>> {
  private final Cluster cluster;
  private final ResourceKind kind;
  private final Function<ApiObject, ? extends Collection<T>> terms;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<T, TreeSet<ObjectKey>> keysByTerm = new TreeMap<>();
  private final TreeMap<ObjectKey, List<T>> termsByKey = new TreeMap<>();

  /**
   * @param terms the terms that an object of the kind names
   */
  public ObjectIndex(
      Cluster cluster, ResourceKind kind, Function<ApiObject, ? extends Collection<T>> terms) {
    this.cluster = cluster;
    this.kind = kind;
    this.terms = terms;
  }

  /** Updates the index after a change of an object. */
  public void changed(ApiObject object) {
    changed(object.key(kind));
  }

  /** Updates the index after a change of the object with this key, which may be gone. */
  public void changed(ObjectKey key) {
    lock.lock();
    try {
      List<T> before = termsByKey.getOrDefault(key, List.of());
      List<T> now = cluster.get(key).map(this::termsOf).orElse(List.of());
      if (now.equals(before)) {
        return;
      }
      before.forEach(term -> remove(term, key));
      now.forEach(term -> keysByTerm.computeIfAbsent(term, _ -> new TreeSet<>()).add(key));
      if (now.isEmpty()) {
        termsByKey.remove(key);
      } else {
        termsByKey.put(key, now);
      }
    } finally {
      lock.unlock();
    }
  }

  private List<T> termsOf(ApiObject object) {
    return List.copyOf(terms.apply(object));
  }

  private void remove(T term, ObjectKey key) {
    keysByTerm.computeIfPresent(
        term, (_, keys) -> keys.remove(key) && keys.isEmpty() ? null : keys);
  }

  /** Whether an object names the term. */
  public boolean contains(T term) {
    lock.lock();
    try {
      return keysByTerm.containsKey(term);
    } finally {
      lock.unlock();
    }
  }

  /** The keys of the objects that name a term, by namespace and name. */
  public List<ObjectKey> keys(T term) {
    lock.lock();
    try {
      TreeSet<ObjectKey> keys = keysByTerm.get(term);
      return keys == null ? List.of() : List.copyOf(keys);
    } finally {
      lock.unlock();
    }
  }

  /** The objects that name a term, by namespace and name. */
  public List<ApiObject> objects(T term) {
    var found = new ArrayList<ApiObject>();
    keys(term).forEach(key -> cluster.get(key).ifPresent(found::add));
    return found;
  }
}
