package dev.sluice.simulator.run;

import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.PendingReason;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.model.Timestamps;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;

/** One line of the decision log. */
final class DecisionRecord {
  private DecisionRecord() {}

  static Tree of(Instant at, AdmissionDecision decision) {
    PendingWorkload workload = decision.workload();
    Tree line = Tree.of("at", Timestamps.format(at), "workload", workload.path());
    return switch (decision) {
      case AdmissionDecision.Admit(PendingWorkload _, Admission admission, QuotaReservation _, _) ->
          line.with("decision", "Admit").with("admission", admission.tree());
      case AdmissionDecision.Preempt(
              PendingWorkload _,
              List<Target> victims,
              PendingReason waiting) ->
          waiting(line.with("decision", "Preempt"), workload, waiting)
              .with("victims", victims.stream().map(DecisionRecord::victim).toList());
      case AdmissionDecision.Pending(PendingWorkload _, PendingReason waiting) ->
          waiting(line.with("decision", "Wait"), workload, waiting);
    };
  }

  private static Tree waiting(Tree line, PendingWorkload workload, PendingReason waiting) {
    return line.with("clusterQueue", workload.clusterQueue())
        .with("why", waiting.kind().name())
        .with("podSets", waiting.podSets().stream().map(DecisionRecord::podSet).toList());
  }

  private static Tree victim(Target target) {
    return Tree.of("workload", target.victim().path(), "cause", target.cause().word());
  }

  private static Tree podSet(PendingReason.Unassigned podSet) {
    return Tree.of(
        "name",
        podSet.name(),
        "reasons",
        podSet.reasons().stream().map(NoFitReason::text).toList());
  }
}
