package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.PendingEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The decisions of admission cycles that follow each other. A workload may be processed in several
 * of them: only the last reason why it is pending counts, and none once it is admitted or preempts.
 */
public final class CycleDecisions {
  private final List<AdmissionDecision> decisions = new ArrayList<>();
  private final List<PendingEntry> admitted = new ArrayList<>();
  private final Set<String> preempting = new LinkedHashSet<>();
  private final Map<String, AdmissionDecision> pending = new LinkedHashMap<>();

  /** How many admissions and preemptions there are. */
  int size() {
    return decisions.size();
  }

  /**
   * Admissions and preemptions in the order in which they were decided, then the pending workloads.
   */
  List<AdmissionDecision> all() {
    decisions.addAll(new TreeMap<>(pending).values());
    return decisions;
  }

  /** The workloads that are not pending any more. */
  List<PendingEntry> admitted() {
    return admitted;
  }

  void admit(PendingEntry entry, AdmissionDecision.Admit admit) {
    pending.remove(entry.path());
    admitted.add(entry);
    decisions.add(admit);
  }

  /** Returns whether there are victims that were not preempted before. */
  boolean preempt(PendingEntry entry, AdmissionDecision.Preempt preempt) {
    pending.remove(entry.path());
    if (!preempt.victims().isEmpty()) {
      preempting.add(entry.path());
      decisions.add(preempt);
      return true;
    }
    if (!preempting.contains(entry.path())) {
      pending(entry, preempt.reason());
    }
    return false;
  }

  /** A workload stays pending. */
  public void pending(PendingEntry entry, PendingReason reason) {
    pending.put(entry.path(), new AdmissionDecision.Pending(entry.workload(), reason));
  }

  /** A workload stays pending, for the reason that its condition has already. */
  public void unchanged(PendingEntry entry) {
    pending.remove(entry.path());
  }
}
