package dev.sluice.model.core.node;

import dev.sluice.model.Condition;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;

/** The status of a node. */
public record NodeStatus(Tree tree) {

  public String phase() {
    return tree.text("phase");
  }

  /** The capacity, as it was written. */
  public Tree capacity() {
    return tree.tree("capacity");
  }

  /** The allocatable resources, as they were written. */
  public Tree allocatable() {
    return tree.tree("allocatable");
  }

  public NodeStatus withCapacity(Tree quantities) {
    return new NodeStatus(tree.with("capacity", quantities));
  }

  public NodeStatus withAllocatable(Tree quantities) {
    return new NodeStatus(tree.with("allocatable", quantities));
  }

  /** With entries of {@code nodeInfo}, in place of those of the same names. */
  public NodeStatus withNodeInfo(SortedMap<String, String> facts) {
    Tree changed = tree.tree("nodeInfo");
    for (var fact : facts.entrySet()) {
      changed = changed.with(fact.getKey(), fact.getValue());
    }
    return new NodeStatus(tree.with("nodeInfo", changed));
  }

  /** The internal address, empty if it has none. */
  public String internalAddress() {
    return tree.trees("addresses").stream()
        .filter(address -> address.text("type").equals("InternalIP"))
        .map(address -> address.text("address"))
        .findFirst()
        .orElse("");
  }

  /** All addresses, internal ones first. */
  public List<String> addresses() {
    return Stream.of("InternalIP", "ExternalIP")
        .flatMap(type ->
            tree.trees("addresses").stream()
                .filter(address -> address.text("type").equals(type))
                .map(address -> address.text("address")))
        .toList();
  }

  public NodeStatus withAddress(String type, String address) {
    var addresses = new ArrayList<Tree>(tree.trees("addresses"));
    addresses.removeIf(old -> old.text("type").equals(type));
    addresses.add(Tree.of("type", type, "address", address));
    return new NodeStatus(tree.with("addresses", Items.of(addresses)));
  }

  public boolean holds(String condition) {
    return Condition.holds(tree, condition);
  }

  /** With a condition whose heartbeat is now. */
  public NodeStatus withCondition(Condition condition, Instant now) {
    Tree changed = condition.in(tree, now);
    List<Tree> conditions =
        changed.trees("conditions").stream()
            .map(entry ->
                entry.text("type").equals(condition.type())
                    ? entry.with("lastHeartbeatTime", Timestamps.format(now))
                    : entry)
            .toList();
    return new NodeStatus(changed.with("conditions", Items.of(conditions)));
  }
}
