package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.node.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tolerations of a pod, indexed by key: a pod may have thousands, and every node checks them.
 */
final class Tolerations {
  private final List<Toleration> all;
  private final TreeMap<String, List<Toleration>> byKey = new TreeMap<>();

  Tolerations(List<Toleration> all) {
    this.all = List.copyOf(all);
    all.forEach(toleration ->
        byKey.computeIfAbsent(toleration.key(), _ -> new ArrayList<>()).add(toleration));
  }

  boolean tolerates(Taint taint) {
    return anyOf(byKey.get(taint.key()), taint) || anyOf(byKey.get(""), taint);
  }

  private static boolean anyOf(@Nullable List<Toleration> some, Taint taint) {
    if (some != null) {
      for (Toleration toleration : some) {
        if (toleration.tolerates(taint)) {
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
