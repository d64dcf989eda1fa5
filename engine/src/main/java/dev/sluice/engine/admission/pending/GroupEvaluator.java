package dev.sluice.engine.admission.pending;

import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.QuotaNode;
import java.util.List;

/**
 * What the rules of a ClusterQueue say of its pending workloads: whether its namespaces match, what
 * they need, and what blocks them. For each group that is found once, until the rules change.
 */
final class GroupEvaluator {
  private final MatchedNamespaces namespaces;
  private QueueSpec spec;
  private Headroom headroom;
  private long rulesVersion;

  GroupEvaluator(QueueSpec spec, Headroom headroom, NamespaceMatcher namespaces) {
    this.spec = spec;
    this.headroom = headroom;
    this.namespaces = new MatchedNamespaces(namespaces);
  }

  void redefine(QueueSpec changed, Headroom changedHeadroom) {
    spec = changed;
    headroom = changedHeadroom;
  }

  QuotaNode node() {
    return headroom.node();
  }

  /** The group of an entry, evaluated by the rules as they are. */
  EquivalenceGroup evaluated(PendingEntry entry) {
    EquivalenceGroup group = entry.group();
    if (!group.isEvaluated(rulesVersion)) {
      boolean matches = namespaces.matches(spec, entry.workload());
      group.evaluate(rulesVersion, matches, headroom.demands(entry.workload()));
    }
    return group;
  }

  /** The amounts that keep an entry from being admitted; empty if nothing proves that it cannot. */
  List<InadmissibleGroups.Blocker> blockers(PendingEntry entry) {
    return headroom.blockers(entry.workload());
  }

  void markTried(PendingEntry entry) {
    entry.markTried(rulesVersion);
  }

  /** Whether an entry became inadmissible since the rules changed. */
  boolean wasTried(PendingEntry entry) {
    return entry.wasTried(rulesVersion);
  }

  /** The rules, or the namespaces, have changed. */
  void forget() {
    namespaces.forget();
    rulesVersion++;
  }
}
