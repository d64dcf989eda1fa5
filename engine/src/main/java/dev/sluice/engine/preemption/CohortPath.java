package dev.sluice.engine.preemption;

import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaCell;
import dev.sluice.engine.quota.QuotaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The path from a ClusterQueue with candidates up to the root, with the quota cells of the flavors
 * and resources that are needed. Searches read them over and over, so the cells are looked up once.
 */
final class CohortPath {
  private final QuotaNode queue;
  private final List<Stage> stages = new ArrayList<>(1);

  private record Stage(QuotaNode node, List<QuotaCell> needed) {

    boolean borrows() {
      for (QuotaCell cell : needed) {
        if (cell.borrowsWith(0)) {
          return true;
        }
      }
      return false;
    }
  }

  CohortPath(QuotaNode queue, Set<FlavorResource> needed) {
    this.queue = queue;
    QuotaNode node = queue;
    for (QuotaNode above = node.parent(); above != null; above = node.parent()) {
      stages.add(new Stage(node, cells(node, needed)));
      node = above;
    }
  }

  private static List<QuotaCell> cells(QuotaNode node, Set<FlavorResource> needed) {
    var cells = new ArrayList<QuotaCell>(needed.size());
    for (FlavorResource flavorResource : needed) {
      cells.add(node.cell(flavorResource));
    }
    return cells;
  }

  QuotaNode queue() {
    return queue;
  }

  /** Whether the queue borrows something that is needed. */
  boolean borrows() {
    return !stages.isEmpty() && stages.getFirst().borrows();
  }

  /**
   * The lowest cohort above the queue that stays within its own quota, so that only preemptors
   * below it may take anything; null if all cohorts below the root borrow.
   */
  @Nullable QuotaNode shelter() {
    for (int i = 1; i < stages.size(); i++) {
      if (!stages.get(i).borrows()) {
        return stages.get(i).node;
      }
    }
    return null;
  }

  /** Whether the queue still borrows, and so do the cohorts above it up to the meeting point. */
  boolean borrowsBelow(List<QuotaNode> meetings) {
    for (Stage stage : stages) {
      if (meetings.contains(stage.node)) {
        return true;
      }
      if (!stage.borrows()) {
        return false;
      }
    }
    return true;
  }
}
