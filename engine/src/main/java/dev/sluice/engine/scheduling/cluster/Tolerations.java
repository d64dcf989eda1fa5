package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.node.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pod's tolerations, found by their keys: a pod may have thousands, and is asked by each node.
 */
final class Tolerations {
  private final List<Toleration> all;
  private final TreeMap<String, List<Toleration>> byKey = new TreeMap<>();

  Tolerations(List<Toleration> all) {
    this.all = List.copyOf(all);
    all.forEach(one -> byKey.computeIfAbsent(one.key(), _ -> new ArrayList<>()).add(one));
  }

  boolean tolerates(Taint taint) {
    return anyOf(byKey.get(taint.key()), taint) || anyOf(byKey.get(""), taint);
  }

  private static boolean anyOf(@Nullable List<Toleration> some, Taint taint) {
    if (some != null) {
      for (Toleration one : some) {
        if (one.tolerates(taint)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Tolerations tolerations && all.equals(tolerations.all);
  }

  @Override
  public int hashCode() {
    return all.hashCode();
  }
}
