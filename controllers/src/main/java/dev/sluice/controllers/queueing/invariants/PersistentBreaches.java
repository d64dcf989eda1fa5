package dev.sluice.controllers.queueing.invariants;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A filter for violations that last: only a breach that several checks in a row have found counts.
 *
 * <p>Threads: one owner.
 */
public final class PersistentBreaches {
  private final int checks;
  private SortedMap<String, Integer> seen = new TreeMap<>();

  /**
   * @param checks the number of checks in a row that must find a breach
   */
  public PersistentBreaches(int checks) {
    this.checks = checks;
  }

  /** Adds the breaches of one check, and returns those that have now been found often enough. */
  public List<String> add(List<String> found) {
    var now = new TreeMap<String, Integer>();
    found.forEach(breach -> now.put(breach, seen.getOrDefault(breach, 0) + 1));
    seen = now;
    return now.keySet().stream().filter(breach -> now.getOrDefault(breach, 0) == checks).toList();
  }

  /** Whether a breach has not been found often enough yet, so that another check is needed. */
  public boolean isOpen() {
    return seen.values().stream().anyMatch(count -> count < checks);
  }
}
