package dev.sluice.engine.admission.reference;

import dev.sluice.engine.admission.reference.ReferenceNomination.Attempt;
import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import java.util.ArrayList;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The plain decision about a workload without competitors: it is nominated cycle by cycle, each
 * going on behind the flavor at which the one before stopped
 * (docs/specification/flavor-assignment.md#resuming-the-search), and with fewer pods where not all
 * of them fit.
 */
final class ReferenceHead {
  private final QueueSpec queue;
  private final ReferenceNomination nomination;

  ReferenceHead(ReferenceWorld world, QueueSpec queue, PendingWorkload workload) {
    this.queue = queue;
    this.nomination = new ReferenceNomination(world, queue, workload);
  }

  /**
   * Pod sets that come to their last flavor in turn would go on forever by Kueue's rules; the
   * engine stops once all flavors have been tried.
   */
  String decision() {
    Map<String, Integer> tried = Map.of();
    int steps = 0;
    do {
      Attempt best = nomination.best(tried);
      if (best.succeeds()) {
        return text(best);
      }
      tried = best.found().tried();
    } while (!tried.isEmpty() && ++steps <= queue.mostFlavors());
    return "waits";
  }

  private static String text(Attempt best) {
    if (best.found().grade().mode() != AssignmentMode.FIT) {
      String text =
          best.targets().stream()
              .filter(target -> !target.victim().evicted())
              .map(target -> target.victim().name() + " (" + target.cause().word() + ")")
              .collect(Collectors.joining(", "));
      return text.isEmpty() ? "waits" : "evicts: " + text;
    }
    var text = new ArrayList<String>();
    for (int i = 0; i < best.podSets().size(); i++) {
      // Only the flavors: the grades are compared elsewhere.
      String flavors = best.found().podSets().get(i).replaceAll("/[A-Z_]+/[0-9]+", "");
      text.add(best.podSets().get(i).count() + " " + flavors);
    }
    return "admitted: " + text;
  }
}
