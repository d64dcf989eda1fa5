package dev.sluice.controllers;

import dev.sluice.model.ObjectKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The keys of objects that changed since the last {@link #takeAll}: what an index over many objects
 * has to read again.
 *
 * <p>A listener adds keys on the thread of the watch. The controller takes them on its own thread
 * before it uses its index, and reads each object again. So the index has one owner thread, and is
 * never older than the controller's own writes if the controller adds the keys of those too. The
 * number of keys is bounded by the number of objects that exist.
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

  /** Returns the keys in the order in which they changed, and removes them. */
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
