package dev.sluice.engine.scheduling.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The index of resource names: small numbers, so that amounts are arrays. The four resources that
 * every node has come first, in the order in which Kubernetes reports what is insufficient.
 *
 * <p>Threads: none; they belong to the scheduler.
 */
public final class ResourceIndex {
  public static final int CPU = 0;
  public static final int MEMORY = 1;
  public static final int PODS = 3;

  private final TreeMap<String, Integer> numbers = new TreeMap<>();
  private final List<String> names = new ArrayList<>();

  ResourceIndex() {
    List.of("cpu", "memory", "ephemeral-storage", "pods").forEach(this::number);
  }

  /** Whether every node has it; others count only for pods that request them. */
  public static boolean isEverywhere(int resource) {
    return resource < PODS;
  }

  public int number(String name) {
    Integer known = numbers.putIfAbsent(name, names.size());
    if (known == null) {
      names.add(name);
      return names.size() - 1;
    }
    return known;
  }

  public String name(int number) {
    return names.get(number);
  }

  /** The amount of a resource in an array, which may be older than the resource. */
  static long get(long[] amounts, int resource) {
    return resource < amounts.length ? amounts[resource] : 0;
  }
}
