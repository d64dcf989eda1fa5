package dev.sluice.simulator;

import dev.sluice.engine.admission.cycle.Decision;
import dev.sluice.engine.admission.cycle.Waiting;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.Reason;
import dev.sluice.engine.queue.Reservation;
import dev.sluice.model.Timestamps;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;

/** One line of the decision log. */
final class DecisionRecord {
  private DecisionRecord() {}

  static Tree of(Instant at, Decision decision) {
    PendingWorkload workload = decision.workload();
    Tree line = Tree.of("at", Timestamps.format(at), "workload", workload.path());
    return switch (decision) {
      case Decision.Admit(PendingWorkload _, Admission admission, Reservation _, _) ->
          line.with("decision", "Admit").with("admission", admission.tree());
      case Decision.Preempt(PendingWorkload _, List<Target> victims, Waiting waiting) ->
          waiting(line.with("decision", "Preempt"), workload, waiting)
              .with("victims", victims.stream().map(DecisionRecord::victim).toList());
      case Decision.Wait(PendingWorkload _, Waiting waiting) ->
          waiting(line.with("decision", "Wait"), workload, waiting);
    };
  }

  private static Tree waiting(Tree line, PendingWorkload workload, Waiting waiting) {
    return line.with("clusterQueue", workload.clusterQueue())
        .with("why", waiting.kind().name())
        .with("podSets", waiting.podSets().stream().map(DecisionRecord::podSet).toList());
  }

  private static Tree victim(Target target) {
    return Tree.of("workload", target.victim().path(), "cause", target.cause().word());
  }

  private static Tree podSet(Waiting.Unassigned podSet) {
    return Tree.of(
        "name", podSet.name(), "reasons", podSet.reasons().stream().map(Reason::text).toList());
  }
}
