package dev.sluice.model.core.node;

import dev.sluice.model.Condition;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a node's conditions say of its health, and of how long ago it said so. */
public record NodeHealth(Node node) {
  private static final List<String> REPORTED =
      List.of(Node.READY, "MemoryPressure", "DiskPressure", "PIDPressure");

  /** What is known about a condition. */
  public enum Known {
    YES,
    NO,
    /** Somebody wrote that it is not known. */
    UNKNOWN,
    /** Nobody has said anything. */
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

  /** The last time the node reported, as it wrote it; empty if it never did. */
  public String heartbeat() {
    return Condition.find(node.object().status(), Node.READY)
        .map(condition -> condition.text("lastHeartbeatTime"))
        .orElse("");
  }

  /** The status of a node from which nothing was heard for too long. */
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
