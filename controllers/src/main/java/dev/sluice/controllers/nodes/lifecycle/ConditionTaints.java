package dev.sluice.controllers.nodes.lifecycle;

import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.NodeHealth;
import dev.sluice.model.core.node.NodeHealth.Known;
import dev.sluice.model.core.node.Taint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The taints that follow from the conditions of a node. */
final class ConditionTaints {
  private static final String NOT_READY = "node.kubernetes.io/not-ready";
  private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
  private static final SortedMap<String, String> BY_CONDITION = byCondition();

  private ConditionTaints() {}

  private static SortedMap<String, String> byCondition() {
    var taints = new TreeMap<String, String>();
    taints.put("DiskPressure", "node.kubernetes.io/disk-pressure");
    taints.put("MemoryPressure", "node.kubernetes.io/memory-pressure");
    taints.put("NetworkUnavailable", "node.kubernetes.io/network-unavailable");
    taints.put("PIDPressure", "node.kubernetes.io/pid-pressure");
    return Collections.unmodifiableSortedMap(taints);
  }

  /** The NoSchedule taints. A node that never reported its status counts as not ready. */
  static List<Taint> repelling(Node node) {
    var health = new NodeHealth(node);
    var taints = new ArrayList<Taint>();
    switch (health.known(Node.READY)) {
      case YES -> {}
      case NO, UNSAID -> taints.add(new Taint(NOT_READY, "", Taint.NO_SCHEDULE));
      case UNKNOWN -> taints.add(new Taint(Taint.UNREACHABLE, "", Taint.NO_SCHEDULE));
    }
    BY_CONDITION.forEach((condition, key) -> {
      if (health.known(condition) == Known.YES) {
        taints.add(new Taint(key, "", Taint.NO_SCHEDULE));
      }
    });
    if (node.isUnschedulable()) {
      taints.add(new Taint(UNSCHEDULABLE, "", Taint.NO_SCHEDULE));
    }
    return taints;
  }

  /** The NoExecute taints, which evict pods. */
  static List<Taint> evicting(Node node) {
    return switch (new NodeHealth(node).known(Node.READY)) {
      case YES, UNSAID -> List.of();
      case NO -> List.of(new Taint(NOT_READY, "", Taint.NO_EXECUTE));
      case UNKNOWN -> List.of(new Taint(Taint.UNREACHABLE, "", Taint.NO_EXECUTE));
    };
  }

  /** Whether a taint is one that follows from conditions, so that only this controller sets it. */
  static boolean areTheirs(Taint taint) {
    boolean ready = taint.key().equals(NOT_READY) || taint.key().equals(Taint.UNREACHABLE);
    boolean other = BY_CONDITION.containsValue(taint.key()) || taint.key().equals(UNSCHEDULABLE);
    return taint.effect().equals(Taint.NO_EXECUTE)
        ? ready
        : taint.effect().equals(Taint.NO_SCHEDULE) && (ready || other);
  }
}
