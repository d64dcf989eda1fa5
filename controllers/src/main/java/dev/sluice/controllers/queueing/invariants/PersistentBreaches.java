package dev.sluice.controllers.queueing.invariants;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Tells what lasts from what is about to be put right: only a breach that was there at every one of
 * several looks counts.
 *
 * <p>Threads: one owner.
 */
public final class PersistentBreaches {
  private final int looks;
  private SortedMap<String, Integer> seen = new TreeMap<>();

  /**
   * @param looks how many looks in a row a breach must be seen at
   */
  public PersistentBreaches(int looks) {
    this.looks = looks;
  }

  /** Takes what one look has found, and returns what has been seen often enough, just now. */
  public List<String> look(List<String> found) {
    var now = new TreeMap<String, Integer>();
    found.forEach(one -> now.put(one, seen.getOrDefault(one, 0) + 1));
    seen = now;
    return now.keySet().stream().filter(one -> now.getOrDefault(one, 0) == looks).toList();
  }

  /** Whether another look may tell more. */
  public boolean isOpen() {
    return seen.values().stream().anyMatch(count -> count < looks);
  }
}
