package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.framework.FilterResult;
import dev.sluice.engine.scheduling.framework.Placement;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.plugins.NodeFilters;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The reasons why a pod fits on no node, summed over all nodes.
 *
 * @param reasons how many nodes were rejected for each reason
 */
public record Diagnosis(int nodes, SortedMap<String, Integer> reasons, SortedSet<Plugin> plugins) {
  /** Kubernetes always states first that there were no device claims to deallocate. */
  private static final String NO_CLAIMS = " no new claims to deallocate";

  private static final String PREEMPTION = NO_CLAIMS + ", preemption: ";

  static Diagnosis of(ClusterState cluster, FilterResult[] results) {
    var distinct = new ArrayList<FilterResult>();
    var counts = new ArrayList<Integer>();
    var reasons = new TreeMap<String, Integer>();
    int[] order = cluster.order();
    for (int slot : order) {
      int known = indexOf(distinct, results[slot]);
      if (known >= 0) {
        counts.set(known, counts.get(known) + 1);
      } else if (distinct.size() < 64) {
        distinct.add(results[slot]);
        counts.add(1);
      } else {
        NodeFilters.count(reasons, results[slot], 1);
      }
    }
    var plugins = new TreeSet<Plugin>();
    for (int slot : order) {
      results[slot].by().ifPresent(plugins::add);
    }
    for (int i = 0; i < distinct.size(); i++) {
      NodeFilters.count(reasons, distinct.get(i), counts.get(i));
    }
    return new Diagnosis(order.length, reasons, plugins);
  }

  /** Equal results are nearly always one object, and comparing them by value takes longer. */
  @SuppressWarnings("ReferenceEquality")
  private static int indexOf(List<FilterResult> results, FilterResult result) {
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) == result) {
        return i;
      }
    }
    return -1;
  }

  /** The message of the condition {@code PodScheduled}, as Kubernetes words it. */
  static String message(int nodes, SortedMap<String, Integer> reasons) {
    var counted = new TreeSet<String>();
    reasons.forEach((reason, count) -> counted.add(count + " " + reason));
    return "0/%d nodes are available: %s.".formatted(nodes, String.join(", ", counted));
  }

  /** A rejection that neither another node nor preemption would resolve. */
  static Placement.Unschedulable hopeless(int nodes, String why, SortedSet<Plugin> plugins) {
    return new Placement.Unschedulable(
        "0/%d nodes are available: %s.".formatted(nodes, why), plugins, false);
  }

  /** A rejection by a Permit plugin, after a node was found. */
  public static Placement.Unschedulable notPermitted(Plugin by, String why) {
    var reasons = new TreeMap<String, Integer>();
    reasons.put(why, 1);
    return new Placement.Unschedulable(message(1, reasons), new TreeSet<>(List.of(by)), false);
  }

  /** The failure without preemption. */
  Placement.Unschedulable nowhere() {
    return new Placement.Unschedulable(message(nodes, reasons) + NO_CLAIMS, plugins, false);
  }

  /** The failure where preemption does not help either. */
  Placement.Unschedulable nowhere(String preemption) {
    return new Placement.Unschedulable(
        message(nodes, reasons) + PREEMPTION + preemption, plugins, false);
  }

  /** The failure of a pod that may not preempt now. */
  Placement.Unschedulable notEligible(String why) {
    return new Placement.Unschedulable(
        message(nodes, reasons) + PREEMPTION + "not eligible due to " + why, plugins, true);
  }

  /** The failure of a pod whose victims are being preempted. */
  Placement.Unschedulable notYet() {
    return new Placement.Unschedulable(message(nodes, reasons), plugins, true);
  }
}
