package dev.sluice.engine.admission;

import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Those who were told to give way in a round, and what will be free without them. Hundreds may be
 * told for a cohort, and everybody who is served after them asks what that leaves, so it is added
 * up for each queue.
 */
final class Absent {
  private final Map<String, Holding> byPath = new LinkedHashMap<>();
  private final Map<QuotaNode, Usage> byQueue = new LinkedHashMap<>();

  private record Holding(QuotaNode queue, Usage usage) {}

  boolean isEmpty() {
    return byPath.isEmpty();
  }

  boolean contains(String path) {
    return byPath.containsKey(path);
  }

  void add(String path, QuotaNode queue, Usage usage) {
    byPath.put(path, new Holding(queue, usage));
    byQueue.merge(queue, usage, Usage::plus);
  }

  /** One holds nothing any more, so it is not missed either. */
  void remove(String path) {
    Holding gone = byPath.remove(path);
    if (gone != null) {
      byQueue.computeIfPresent(gone.queue(), (_, all) -> all.minus(gone.usage()));
    }
  }

  /** Takes what they hold out of the tree for a while. */
  void leave() {
    byQueue.forEach(QuotaNode::remove);
  }

  void comeBack() {
    byQueue.forEach(QuotaNode::add);
  }
}
