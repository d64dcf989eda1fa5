package dev.sluice.engine.admission.pending;

import dev.sluice.engine.admission.cycle.AdmissionCycle;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.QuotaTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which lines share quota, and so are decided about together: those below one root cohort are a
 * family, and a queue alone is one. Those in which something happened are <em>stirred</em>; the
 * others need no look.
 *
 * <p>Threads: one owner.
 */
public final class RootCohorts {
  private final Map<String, List<PendingQueue>> lines = new LinkedHashMap<>();
  private final Map<String, String> byQueue = new LinkedHashMap<>();
  private final TreeSet<String> stirred = new TreeSet<>();
  private final TreeSet<String> narrowed = new TreeSet<>();

  /** Forms all families anew, and stirs them. */
  public void define(QuotaTree tree, Map<String, PendingQueue> byName) {
    lines.clear();
    byQueue.clear();
    for (QuotaNode node : tree.queues()) {
      PendingQueue line = byName.get(node.name());
      if (line != null) {
        byQueue.put(node.name(), node.family());
        lines.computeIfAbsent(node.family(), _ -> new ArrayList<>()).add(line);
      }
    }
    stirAll();
  }

  /** The name of a queue's family. */
  public String of(String queue) {
    return byQueue.getOrDefault(queue, "");
  }

  /** Something happened in a queue. */
  public void stir(String queue) {
    stirred.add(of(queue));
  }

  public void stirAll() {
    stirred.addAll(lines.keySet());
  }

  /**
   * Quota came back to a family; those whom it may help are called.
   *
   * @param all whether all of them come back at once
   */
  public void wake(String family, boolean all) {
    stirred.add(family);
    lines(family).forEach(line -> line.wakeHelped(all));
  }

  /** Quota went to somebody who was not in line; heads that relied on it look again. */
  public void narrow(String queue) {
    narrowed.add(of(queue));
  }

  /** The lines of each family in which something happened. */
  public List<List<PendingQueue>> stirred() {
    for (String family : narrowed) {
      lines(family).forEach(PendingQueue::refresh);
    }
    stirred.addAll(narrowed);
    narrowed.clear();
    return stirred.stream().map(this::lines).toList();
  }

  /** Leaves those alone in which everybody was looked at. */
  public void settle() {
    stirred.removeIf(family -> !AdmissionCycle.anyFresh(lines(family)));
  }

  private List<PendingQueue> lines(String family) {
    return lines.getOrDefault(family, List.of());
  }
}
