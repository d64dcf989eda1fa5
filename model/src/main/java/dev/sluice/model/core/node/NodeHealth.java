package dev.sluice.model.core.node;

import dev.sluice.model.Condition;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The health of a node according to its conditions, and the time of its last report. */
public record NodeHealth(Node node) {
  private static final List<String> REPORTED =
      List.of(Node.READY, "MemoryPressure", "DiskPressure", "PIDPressure");

  /** The status of a condition. */
  public enum Known {
    YES,
    NO,
    /** The condition is present with status Unknown. */
    UNKNOWN,
    /** The condition is missing. */
    UNSAID
  }

  public Known known(String condition) {
    Optional<Tree> found = Condition.find(node.object().status(), condition);
    return found
        .map(tree ->
            switch (tree.text("status")) {
              case "True" -> Known.YES;
              case "False" -> Known.NO;
              default -> Known.UNKNOWN;
            })
        .orElse(Known.UNSAID);
  }

  /** The last heartbeat as the node wrote it; empty if there is none. */
  public String heartbeat() {
    return Condition.find(node.object().status(), Node.READY)
        .map(condition -> condition.text("lastHeartbeatTime"))
        .orElse("");
  }

  /** The status of a node whose heartbeat is overdue. */
  public Tree lost(Instant now) {
    Tree status = node.object().status();
    var conditions = new ArrayList<Tree>();
    for (Tree condition : status.trees("conditions")) {
      boolean reported = REPORTED.contains(condition.text("type"));
      boolean unknown = condition.text("status").equals("Unknown");
      conditions.add(
          reported && !unknown
              ? unknown(condition, now, "NodeStatusUnknown", "Kubelet stopped posting node status.")
              : condition);
    }
    for (String type : REPORTED) {
      if (known(type) == Known.UNSAID) {
        Tree condition =
            Tree.of("type", type)
                .with("lastHeartbeatTime", node.object().metadata().text("creationTimestamp"));
        conditions.add(
            unknown(condition, now, "NodeStatusNeverUpdated", "Kubelet never posted node status."));
      }
    }
    return status.with("conditions", Items.of(conditions));
  }

  private static Tree unknown(Tree condition, Instant now, String reason, String message) {
    return condition
        .with("status", "Unknown")
        .with("reason", reason)
        .with("message", message)
        .with("lastTransitionTime", Timestamps.format(now));
  }
}
