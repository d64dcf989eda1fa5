package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Those who were told to give way in a round, and what will be free without them. Hundreds may be
 * told for a cohort, and everybody who is served after them asks what that leaves, so it is added
 * up for each queue: into one sum, unless that would be too much to count.
 */
final class CycleVictims {
  private final Map<String, Holding> byPath = new LinkedHashMap<>();
  private final Map<QuotaNode, List<Usage>> byQueue = new LinkedHashMap<>();

  private record Holding(QuotaNode queue, Usage usage) {}

  boolean isEmpty() {
    return byPath.isEmpty();
  }

  boolean contains(String path) {
    return byPath.containsKey(path);
  }

  void add(String path, QuotaNode queue, Usage usage) {
    byPath.put(path, new Holding(queue, usage));
    addUp(queue, usage);
  }

  private void addUp(QuotaNode queue, Usage usage) {
    List<Usage> sums = byQueue.computeIfAbsent(queue, _ -> new ArrayList<>());
    Usage sum = sums.isEmpty() ? usage : sums.getLast().plus(usage);
    if (sums.isEmpty() || sum.isWithoutLimit()) {
      sums.add(usage);
    } else {
      sums.set(sums.size() - 1, sum);
    }
  }

  /** One holds nothing any more, so it is not missed either. */
  void remove(String path) {
    Holding gone = byPath.remove(path);
    if (gone != null) {
      byQueue.remove(gone.queue());
      for (Holding one : byPath.values()) {
        if (one.queue().equals(gone.queue())) {
          addUp(one.queue(), one.usage());
        }
      }
    }
  }

  /** Takes what they hold out of the tree for a while. */
  void leave() {
    byQueue.forEach((queue, sums) -> sums.forEach(queue::remove));
  }

  void comeBack() {
    byQueue.forEach((queue, sums) -> sums.forEach(queue::add));
  }
}
