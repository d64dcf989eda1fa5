package dev.sluice.benchmarks.queue;

import dev.sluice.model.Condition;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;

/** A workload as of the last event of its watch, reduced to what the bench acts on. */
record Seen(
    String resourceVersion,
    Tree status,
    boolean reserved,
    boolean admitted,
    boolean evicted,
    boolean finished) {
  /** The condition that its owner sets at its end. */
  static final Condition END =
      new Condition("Finished", true, "Succeeded", "The bench's time for it has passed");

  static final Seen NOTHING = new Seen("", Tree.EMPTY, false, false, false, false);

  static Seen of(Tree workload) {
    Tree status = workload.tree("status");
    boolean finished = Condition.holds(status, "Finished");
    return new Seen(
        workload.text("metadata", "resourceVersion"),
        finished ? Tree.EMPTY : status, // no longer needed
        Condition.holds(status, "QuotaReserved"),
        Condition.holds(status, "Admitted"),
        Condition.holds(status, "Evicted"),
        finished);
  }

  /** Whether it runs: a preempted one does not, even while it still holds its quota. */
  boolean runs() {
    return admitted && !evicted && !finished;
  }

  boolean waitsForRelease() {
    return evicted && reserved && !finished;
  }

  /** Its end, provided that nothing has changed since. */
  Tree finish(Instant now) {
    return patch(Tree.of("conditions", END.in(status, now).at("conditions")));
  }

  /** The status that its owner would set once the pods of an evicted workload are gone. */
  Tree release(Instant now) {
    var end = new Condition("QuotaReserved", false, "Pending", "Evicted by the scheduler");
    var out = new Condition("Admitted", false, "NoReservation", "The workload has no reservation");
    Tree released = out.in(end.in(status, now), now);
    return patch(
        Tree.of("conditions", released.at("conditions")).with("admission", Value.Null.NULL));
  }

  private Tree patch(Tree change) {
    return Tree.of("metadata", Tree.of("resourceVersion", resourceVersion), "status", change);
  }
}
