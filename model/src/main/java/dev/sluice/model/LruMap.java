package dev.sluice.model;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map that keeps so many entries at most, and forgets the one that was not used for longest when
 * another comes.
 *
 * <p>Threads: one at a time, also for reading: whoever reads an entry uses it.
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
