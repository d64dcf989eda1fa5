package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.LabelSelector;
import dev.sluice.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The PodDisruptionBudgets, and which pods they protect from preemption.
 *
 * <p>Threads: none; they belong to the scheduler.
 */
public final class DisruptionBudgets {

  /** A budget; {@code disrupted} names pods that are counted already. */
  private record Budget(
      String namespace, LabelSelector selector, long allowed, List<String> disrupted) {

    boolean covers(PodFacts pod) {
      return namespace.equals(pod.namespace())
          && !pod.labels().isEmpty()
          && !selector.isEmpty()
          && selector.matches(pod.labels())
          && !disrupted.contains(pod.key().name());
    }
  }

  private final TreeMap<ObjectKey, Budget> budgets = new TreeMap<>();

  public void put(ObjectKey key, ApiObject budget) {
    budgets.put(
        key,
        new Budget(
            key.namespace(),
            new LabelSelector(budget.spec().tree("selector")),
            budget.status().whole("disruptionsAllowed").orElse(0),
            budget.status().tree("disruptedPods").names()));
  }

  public void remove(ObjectKey key) {
    budgets.remove(key);
  }

  /** The pods whose preemption would violate a budget, if they are preempted in this order. */
  List<PodFacts> broken(List<PodFacts> leaving) {
    var left = new ArrayList<Long>();
    List<Budget> all = List.copyOf(budgets.values());
    all.forEach(budget -> left.add(budget.allowed()));
    var broken = new ArrayList<PodFacts>();
    for (PodFacts pod : leaving) {
      boolean breaks = false;
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).covers(pod)) {
          left.set(i, left.get(i) - 1);
          breaks |= left.get(i) < 0;
        }
      }
      if (breaks) {
        broken.add(pod);
      }
    }
    return broken;
  }
}
