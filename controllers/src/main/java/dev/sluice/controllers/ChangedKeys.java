package dev.sluice.controllers;

import dev.sluice.model.ObjectKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The keys that changed since their owner looked last; how an index over many objects keeps up.
 *
 * <p>A listener adds keys on the thread of the watch. The controller takes them on its own before
 * it uses its index, and looks each of them up: so the index has one owner thread, and is never
 * older than the controller's own writes if it adds the keys of those too. Bounded by the number of
 * objects that exist.
 *
 * <p>Threads: safe.
 */
public final class ChangedKeys {
  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashSet<ObjectKey> keys = new LinkedHashSet<>();

  public void add(ObjectKey key) {
    lock.lock();
    try {
      keys.add(key);
    } finally {
      lock.unlock();
    }
  }

  /** The keys in the order in which they changed; they are forgotten here. */
  public List<ObjectKey> takeAll() {
    lock.lock();
    try {
      List<ObjectKey> taken = List.copyOf(keys);
      keys.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
