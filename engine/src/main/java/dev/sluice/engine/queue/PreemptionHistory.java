package dev.sluice.engine.queue;

import dev.sluice.engine.quota.QuotaNode;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Who had to give way to whom, among those who share quota, since somebody last left them for good.
 *
 * <p>Goal: preemption ends. In trees, or with several flavors, two or three workloads can each have
 * a right to the place of another, and would evict each other in turn forever. Method: while nobody
 * leaves, nobody evicts the same workload twice, and who gave way evicts nobody by its share, so
 * that shares do not take what others have a right to.
 *
 * <p>It is not known any more after a restart, which may let each do so once more. Workloads are
 * named as {@code namespace/name}.
 */
public final class PreemptionHistory {
  private final Map<String, Round> byFamily = new LinkedHashMap<>();

  private record Round(Set<String> victims, Map<String, Set<String>> byPreemptor) {}

  /** A workload of a queue has to give way to another, which shares quota with it. */
  public void add(QuotaNode queue, String victim, String preemptor) {
    Round round =
        byFamily.computeIfAbsent(
            queue.family(), _ -> new Round(new LinkedHashSet<>(), new LinkedHashMap<>()));
    round.victims.add(victim);
    round.byPreemptor.computeIfAbsent(preemptor, _ -> new LinkedHashSet<>()).add(victim);
  }

  /** Whether a workload of a queue had to give way. */
  public boolean contains(QuotaNode queue, String victim) {
    Round round = byFamily.get(queue.family());
    return round != null && round.victims.contains(victim);
  }

  /** Who had to give way to a workload of a queue. */
  public Set<String> to(QuotaNode queue, String preemptor) {
    Round round = byFamily.get(queue.family());
    return round == null ? Set.of() : round.byPreemptor.getOrDefault(preemptor, Set.of());
  }

  /** Somebody left who shared quota with a queue, or did not give way after all. */
  public void forget(QuotaNode queue) {
    byFamily.remove(queue.family());
  }

  void forgetAll() {
    byFamily.clear();
  }
}
