package dev.sluice.simulator;

import dev.sluice.engine.admission.Decision;
import dev.sluice.engine.admission.PendingWorkload;
import dev.sluice.engine.admission.Reason;
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
      case Decision.Admit(PendingWorkload _, Admission admission) ->
          line.with("decision", "Admit").with("admission", admission.tree());
      case Decision.Wait(PendingWorkload _, String queue, List<Decision.Unassigned> podSets) ->
          line.with("decision", "Wait")
              .with("clusterQueue", queue)
              .with("podSets", podSets.stream().map(DecisionRecord::podSet).toList());
      case Decision.Queue(PendingWorkload _, String queue, Reason.Behind behind) ->
          line.with("decision", "Queue").with("clusterQueue", queue).with("reason", behind.text());
      case Decision.Refuse(PendingWorkload _, Reason.NoWay noWay) ->
          line.with("decision", "Refuse").with("reason", noWay.text());
    };
  }

  private static Tree podSet(Decision.Unassigned podSet) {
    return Tree.of(
        "name", podSet.name(), "reasons", podSet.reasons().stream().map(Reason::text).toList());
  }
}
