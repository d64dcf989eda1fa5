package dev.sluice.model;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map with a limited number of entries, which drops the least recently used one when another is
 * added.
 *
 * <p>Threads: one at a time, also for reading: a read changes the order of entries.
 */
public final class LruMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int most;

  public LruMap(int most) {
    super(16, 0.75f, true);
    this.most = most;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
