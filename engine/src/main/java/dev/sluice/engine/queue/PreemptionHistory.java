package dev.sluice.engine.queue;

import dev.sluice.engine.quota.QuotaNode;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The preemptions below each root cohort, since a workload last released quota there for good.
 *
 * <p>Goal: preemption ends. In trees, or with several flavors, two or three workloads can each be
 * entitled to the quota of another, and would preempt each other in turn forever. Method: until a
 * workload leaves, no preemptor evicts the same victim twice, and a victim preempts nothing by its
 * share, so that shares do not take what other workloads are entitled to.
 *
 * <p>A restart loses the history, so each such preemption may then happen once more. Workloads are
 * named as {@code namespace/name}.
 */
public final class PreemptionHistory {
  private final Map<String, Preemptions> byRoot = new LinkedHashMap<>();

  private record Preemptions(Set<String> victims, Map<String, Set<String>> byPreemptor) {}

  /** Notes that a workload of a queue is preempted by another below the same root. */
  public void add(QuotaNode queue, String victim, String preemptor) {
    Preemptions known =
        byRoot.computeIfAbsent(
            queue.rootName(), _ -> new Preemptions(new LinkedHashSet<>(), new LinkedHashMap<>()));
    known.victims.add(victim);
    known.byPreemptor.computeIfAbsent(preemptor, _ -> new LinkedHashSet<>()).add(victim);
  }

  /** Whether a workload of a queue was preempted. */
  public boolean contains(QuotaNode queue, String victim) {
    Preemptions known = byRoot.get(queue.rootName());
    return known != null && known.victims.contains(victim);
  }

  /** The victims of a workload of a queue. */
  public Set<String> to(QuotaNode queue, String preemptor) {
    Preemptions known = byRoot.get(queue.rootName());
    return known == null ? Set.of() : known.byPreemptor.getOrDefault(preemptor, Set.of());
  }

  /** Forgets a root: a workload below it left, or was not preempted after all. */
  public void forget(QuotaNode queue) {
    byRoot.remove(queue.rootName());
  }

  void forgetAll() {
    byRoot.clear();
  }
}
