package dev.sluice.model.core.node;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A node. */
public record Node(ApiObject object) {
  public static final String READY = "Ready";

  public ObjectKey key() {
    return object.key(Kinds.NODE);
  }

  public String name() {
    return object.name();
  }

  public SortedMap<String, String> labels() {
    return object.labels();
  }

  public boolean isUnschedulable() {
    return object.spec().flag("unschedulable");
  }

  public List<Taint> taints() {
    return object.spec().trees("taints").stream().map(Taint::of).toList();
  }

  /** The ranges of its pods' addresses, at most one for each IP family. */
  public List<String> podCidrs() {
    List<String> all = object.spec().textItems("podCIDRs");
    String one = object.spec().text("podCIDR");
    return all.isEmpty() && !one.isEmpty() ? List.of(one) : all;
  }

  public boolean isReady() {
    return Condition.holds(object.status(), READY);
  }

  /** The allocatable amounts. */
  public Amounts allocatable() {
    return Amounts.of(object.status().tree("allocatable"));
  }

  /** The images on the node, by each of their names, with their sizes in bytes. */
  public SortedMap<String, Long> images() {
    var sizes = new TreeMap<String, Long>();
    for (Tree image : object.status().trees("images")) {
      long size = image.whole("sizeBytes").orElse(0);
      image.textItems("names").forEach(name -> sizes.put(name, size));
    }
    return Collections.unmodifiableSortedMap(sizes);
  }

  public NodeStatus status() {
    return new NodeStatus(object.status());
  }

  public Node withTaints(List<Taint> taints) {
    return new Node(
        taints.isEmpty()
            ? object.without(List.of("spec", "taints"))
            : object.with(
                List.of("spec", "taints"), Items.of(taints.stream().map(Taint::tree).toList())));
  }

  public Node withStatus(NodeStatus status) {
    return new Node(object.withStatus(status.tree()));
  }
}
