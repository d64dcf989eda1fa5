package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The victims of an admission cycle, and what will be free without them. There may be hundreds in a
 * cohort, and every entry that is processed after them asks what they leave, so their usage is
 * added up for each queue: into one sum, unless that would be too much to count.
 */
final class CycleVictims {
  private final Map<String, HeldQuota> byPath = new LinkedHashMap<>();
  private final Map<QuotaNode, List<Usage>> byQueue = new LinkedHashMap<>();

  private record HeldQuota(QuotaNode queue, Usage usage) {}

  boolean isEmpty() {
    return byPath.isEmpty();
  }

  boolean contains(String path) {
    return byPath.containsKey(path);
  }

  void add(String path, QuotaNode queue, Usage usage) {
    byPath.put(path, new HeldQuota(queue, usage));
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

  /** A victim holds nothing any more, so it leaves nothing either. */
  void remove(String path) {
    HeldQuota gone = byPath.remove(path);
    if (gone != null) {
      byQueue.remove(gone.queue());
      for (HeldQuota held : byPath.values()) {
        if (held.queue().equals(gone.queue())) {
          addUp(held.queue(), held.usage());
        }
      }
    }
  }

  /** Takes what they hold out of the tree for a while. */
  void removeUsage() {
    byQueue.forEach((queue, sums) -> sums.forEach(queue::remove));
  }

  void restoreUsage() {
    byQueue.forEach((queue, sums) -> sums.forEach(queue::add));
  }
}
