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
 * Why a pod fits on no node, for all nodes together.
 *
 * @param reasons how many nodes gave each reason
 */
public record Diagnosis(int nodes, SortedMap<String, Integer> reasons, SortedSet<Plugin> plugins) {
  /** Kubernetes first says that no claims of devices could be taken back, whoever asked. */
  private static final String NO_CLAIMS = " no new claims to deallocate";

  private static final String PREEMPTION = NO_CLAIMS + ", preemption: ";

  static Diagnosis of(ClusterState cluster, FilterResult[] verdicts) {
    var distinct = new ArrayList<FilterResult>();
    var counts = new ArrayList<Integer>();
    var reasons = new TreeMap<String, Integer>();
    int[] order = cluster.order();
    for (int slot : order) {
      int known = indexOf(distinct, verdicts[slot]);
      if (known >= 0) {
        counts.set(known, counts.get(known) + 1);
      } else if (distinct.size() < 64) {
        distinct.add(verdicts[slot]);
        counts.add(1);
      } else {
        NodeFilters.count(reasons, verdicts[slot], 1);
      }
    }
    var plugins = new TreeSet<Plugin>();
    for (int slot : order) {
      verdicts[slot].by().ifPresent(plugins::add);
    }
    for (int i = 0; i < distinct.size(); i++) {
      NodeFilters.count(reasons, distinct.get(i), counts.get(i));
    }
    return new Diagnosis(order.length, reasons, plugins);
  }

  /** Equal verdicts are nearly always one object, and comparing them takes longer. */
  @SuppressWarnings("ReferenceEquality")
  private static int indexOf(List<FilterResult> verdicts, FilterResult sought) {
    for (int i = 0; i < verdicts.size(); i++) {
      if (verdicts.get(i) == sought) {
        return i;
      }
    }
    return -1;
  }

  /** In one line, as Kubernetes words it. */
  static String message(int nodes, SortedMap<String, Integer> reasons) {
    var counted = new TreeSet<String>();
    reasons.forEach((reason, count) -> counted.add(count + " " + reason));
    return "0/%d nodes are available: %s.".formatted(nodes, String.join(", ", counted));
  }

  /** Nothing that nodes offer would help it, nor would others that leave. */
  static Placement.Unschedulable hopeless(int nodes, String why, SortedSet<Plugin> plugins) {
    return new Placement.Unschedulable(
        "0/%d nodes are available: %s.".formatted(nodes, why), plugins, false);
  }

  /** It had a node, but was not permitted to go there. */
  public static Placement.Unschedulable notPermitted(Plugin by, String why) {
    var reasons = new TreeMap<String, Integer>();
    reasons.put(why, 1);
    return new Placement.Unschedulable(message(1, reasons), new TreeSet<>(List.of(by)), false);
  }

  /** No pods have to make room for it. */
  Placement.Unschedulable nowhere() {
    return new Placement.Unschedulable(message(nodes, reasons) + NO_CLAIMS, plugins, false);
  }

  /** No pods can make room for it. */
  Placement.Unschedulable nowhere(String preemption) {
    return new Placement.Unschedulable(
        message(nodes, reasons) + PREEMPTION + preemption, plugins, false);
  }

  /** It is not its turn to have others make room. */
  Placement.Unschedulable notEligible(String why) {
    return new Placement.Unschedulable(
        message(nodes, reasons) + PREEMPTION + "not eligible due to " + why, plugins, true);
  }

  /** Others make room for it. */
  Placement.Unschedulable notYet() {
    return new Placement.Unschedulable(message(nodes, reasons), plugins, true);
  }
}
