package dev.sluice.engine.scheduling;

import dev.sluice.model.core.HostPort;
import dev.sluice.model.core.Taint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The filters that look at one node alone, in the order in which they are asked. The first that
 * objects is the one that users are told of.
 *
 * <p>Threads: none; they belong to the scheduler.
 */
final class Filters {
  private static final Taint CORDON =
      new Taint("node.kubernetes.io/unschedulable", "", Taint.NO_SCHEDULE);
  private static final Verdict CORDONED =
      Verdict.unresolvable(Plugin.NODE_UNSCHEDULABLE, "node(s) were unschedulable");
  private static final Verdict TAINTED =
      Verdict.unresolvable(Plugin.TAINT_TOLERATION, "node(s) had untolerated taint(s)");
  private static final Verdict OTHER_NODE =
      Verdict.unresolvable(Plugin.NODE_AFFINITY, "node(s) didn't satisfy plugin(s) [NodeAffinity]");
  private static final Verdict OTHER_LABELS =
      Verdict.unresolvable(
          Plugin.NODE_AFFINITY, "node(s) didn't match Pod's node affinity/selector");
  private static final Verdict PORTS_TAKEN =
      Verdict.rejected(
          Plugin.NODE_PORTS, "node(s) didn't have free ports for the requested pod ports");
  private static final int MOST_REMEMBERED = 1000;

  private final Resources resources;
  private final List<Filter> filters;

  /** Equal verdicts are one object, so that they are counted quickly. */
  private final LinkedHashMap<Verdict, Verdict> known = new LinkedHashMap<>();

  Filters(Resources resources) {
    this.resources = resources;
    this.filters =
        List.of(
            Filters::names,
            Filters::cordon,
            Filters::taints,
            Filters::labels,
            Filters::ports,
            this::resources);
  }

  Verdict judge(PodShape pod, NodeState node) {
    for (Filter filter : filters) {
      Verdict verdict = filter.judge(pod, node);
      if (!verdict.fits()) {
        return verdict;
      }
    }
    return Verdict.FITS;
  }

  /** Kubernetes looks only at the nodes that a pod names, and says so of all others. */
  private static Verdict names(PodShape pod, NodeState node) {
    boolean other = !pod.onlyNodes().isEmpty() && !pod.onlyNodes().contains(node.name());
    return other ? OTHER_NODE : Verdict.FITS;
  }

  private static Verdict cordon(PodShape pod, NodeState node) {
    return node.facts().unschedulable() && !pod.tolerates(CORDON) ? CORDONED : Verdict.FITS;
  }

  private static Verdict taints(PodShape pod, NodeState node) {
    return pod.toleratesAll(node.facts().taints()) ? Verdict.FITS : TAINTED;
  }

  private static Verdict labels(PodShape pod, NodeState node) {
    NodeFacts facts = node.facts();
    return pod.selects(facts.name(), facts.labels()) ? Verdict.FITS : OTHER_LABELS;
  }

  private static Verdict ports(PodShape pod, NodeState node) {
    for (HostPort wanted : pod.ports()) {
      for (HostPort taken : node.ports()) {
        if (wanted.conflictsWith(taken)) {
          return PORTS_TAKEN;
        }
      }
    }
    return Verdict.FITS;
  }

  private Verdict resources(PodShape pod, NodeState node) {
    Demand demand = pod.demand();
    boolean fits = node.podCount() < node.facts().allocatable(Resources.PODS);
    for (int i = 0; i < demand.size() && fits; i++) {
      fits = demand.amount(i) <= node.free(demand.resource(i));
    }
    return fits ? Verdict.FITS : missing(demand, node);
  }

  private Verdict missing(Demand demand, NodeState node) {
    var reasons = new ArrayList<String>();
    boolean resolvable = true;
    if (node.podCount() >= node.facts().allocatable(Resources.PODS)) {
      reasons.add("Too many pods");
    }
    for (int i = 0; i < demand.size(); i++) {
      int resource = demand.resource(i);
      if (demand.amount(i) > node.free(resource)) {
        reasons.add("Insufficient " + resources.name(resource));
        resolvable &= demand.amount(i) <= node.facts().allocatable(resource);
      }
    }
    return one(new Verdict(Optional.of(Plugin.NODE_RESOURCES_FIT), reasons, resolvable));
  }

  private Verdict one(Verdict verdict) {
    if (known.size() >= MOST_REMEMBERED) {
      known.clear();
    }
    return known.computeIfAbsent(verdict, same -> same);
  }

  /** How often each reason was given. */
  static void count(Map<String, Integer> counts, Verdict verdict, int times) {
    verdict.reasons().forEach(reason -> counts.merge(reason, times, Integer::sum));
  }
}
