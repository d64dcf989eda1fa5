package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.NodeFacts;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.cluster.ResourceIndex;
import dev.sluice.engine.scheduling.cluster.ResourceVector;
import dev.sluice.engine.scheduling.framework.Filter;
import dev.sluice.engine.scheduling.framework.FilterResult;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.framework.Profile.FitRules;
import dev.sluice.model.core.node.NodeAffinity;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.pod.Disk;
import dev.sluice.model.core.pod.HostPort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The filters that depend on one node alone, in the order in which they run. The first that rejects
 * the node is the one that messages show.
 *
 * <p>Threads: none; they belong to the scheduler.
 */
public final class NodeFilters {
  private static final Taint CORDON =
      new Taint("node.kubernetes.io/unschedulable", "", Taint.NO_SCHEDULE);
  private static final FilterResult CORDONED =
      FilterResult.unresolvable(Plugin.NODE_UNSCHEDULABLE, "node(s) were unschedulable");
  private static final FilterResult TAINTED =
      FilterResult.unresolvable(Plugin.TAINT_TOLERATION, "node(s) had untolerated taint(s)");
  private static final FilterResult OTHER_NODE =
      FilterResult.unresolvable(
          Plugin.NODE_AFFINITY, "node(s) didn't satisfy plugin(s) [NodeAffinity]");
  private static final FilterResult OTHER_LABELS =
      FilterResult.unresolvable(
          Plugin.NODE_AFFINITY, "node(s) didn't match Pod's node affinity/selector");
  private static final FilterResult PORTS_TAKEN =
      FilterResult.rejected(
          Plugin.NODE_PORTS, "node(s) didn't have free ports for the requested pod ports");
  private static final FilterResult ENFORCED_LABELS =
      FilterResult.unresolvable(
          Plugin.NODE_AFFINITY, "node(s) didn't match scheduler-enforced node affinity");
  private static final FilterResult DISK_TAKEN =
      FilterResult.rejected(Plugin.VOLUME_RESTRICTIONS, "node(s) had no available disk");
  private static final int MAX_REMEMBERED = 1000;

  /** A filter, and the pods that it may reject at all. */
  private record Rule(Plugin plugin, Predicate<PodSignature> concerns, Filter filter) {}

  private final ResourceIndex resources;
  private final FitRules fit;
  private final boolean ignoresSome;
  private final NodeAffinity enforced;
  private final List<Rule> rules;
  private final Filter[] all;

  /** Equal results are one object, so that they are counted quickly. */
  private final LinkedHashMap<FilterResult, FilterResult> known = new LinkedHashMap<>();

  public NodeFilters(ResourceIndex resources, Profile profile) {
    this.resources = resources;
    this.fit = profile.fit();
    this.ignoresSome = fit.ignoresSome();
    this.enforced = profile.added().required();
    this.rules =
        Stream.of(
                new Rule(
                    Plugin.NODE_AFFINITY, pod -> !pod.onlyNodes().isEmpty(), NodeFilters::names),
                new Rule(Plugin.NODE_UNSCHEDULABLE, _ -> true, NodeFilters::cordon),
                new Rule(Plugin.TAINT_TOLERATION, _ -> true, NodeFilters::taints),
                new Rule(Plugin.NODE_AFFINITY, this::asksForLabels, this::labels),
                new Rule(Plugin.NODE_PORTS, pod -> !pod.ports().isEmpty(), NodeFilters::ports),
                new Rule(Plugin.NODE_RESOURCES_FIT, _ -> true, this::resources),
                new Rule(
                    Plugin.VOLUME_RESTRICTIONS, pod -> !pod.disks().isEmpty(), NodeFilters::disks))
            .filter(rule -> profile.filters().contains(rule.plugin()))
            .toList();
    this.all = rules.stream().map(Rule::filter).toArray(Filter[]::new);
  }

  /** The filters that may reject pods of one signature, for callers that filter many nodes. */
  public Filter of(PodSignature signature) {
    Filter[] some =
        rules.stream()
            .filter(rule -> rule.concerns().test(signature))
            .map(Rule::filter)
            .toArray(Filter[]::new);
    return (pod, node) -> filter(some, pod, node);
  }

  public FilterResult filter(PodSignature pod, NodeState node) {
    return filter(all, pod, node);
  }

  private static FilterResult filter(Filter[] filters, PodSignature pod, NodeState node) {
    for (Filter filter : filters) {
      FilterResult result = filter.filter(pod, node);
      if (!result.fits()) {
        return result;
      }
    }
    return FilterResult.FITS;
  }

  /** Kubernetes evaluates only the nodes that a pod names, and reports this for all others. */
  private static FilterResult names(PodSignature pod, NodeState node) {
    boolean other = !pod.onlyNodes().isEmpty() && !pod.onlyNodes().contains(node.name());
    return other ? OTHER_NODE : FilterResult.FITS;
  }

  private static FilterResult cordon(PodSignature pod, NodeState node) {
    return node.facts().unschedulable() && !pod.tolerates(CORDON) ? CORDONED : FilterResult.FITS;
  }

  private static FilterResult taints(PodSignature pod, NodeState node) {
    return pod.toleratesAll(node.facts().taints()) ? FilterResult.FITS : TAINTED;
  }

  private boolean asksForLabels(PodSignature pod) {
    return enforced.restricted() || pod.affinity().restricted() || !pod.nodeSelector().isEmpty();
  }

  private FilterResult labels(PodSignature pod, NodeState node) {
    NodeFacts facts = node.facts();
    if (enforced.restricted() && !enforced.matches(facts.name(), facts.labels())) {
      return ENFORCED_LABELS;
    }
    return pod.selects(facts.name(), facts.labels()) ? FilterResult.FITS : OTHER_LABELS;
  }

  private static FilterResult ports(PodSignature pod, NodeState node) {
    for (HostPort wanted : pod.ports()) {
      for (HostPort taken : node.ports()) {
        if (wanted.conflictsWith(taken)) {
          return PORTS_TAKEN;
        }
      }
    }
    return FilterResult.FITS;
  }

  private static FilterResult disks(PodSignature pod, NodeState node) {
    if (pod.disks().isEmpty()) {
      return FilterResult.FITS;
    }
    for (PodFacts other : node.pods()) {
      for (Disk taken : other.signature().disks()) {
        if (pod.disks().stream().anyMatch(wanted -> wanted.conflictsWith(taken))) {
          return DISK_TAKEN;
        }
      }
    }
    return FilterResult.FITS;
  }

  private FilterResult resources(PodSignature pod, NodeState node) {
    ResourceVector demand = ignoresSome ? counted(pod.demand()) : pod.demand();
    boolean fits = node.podCount() < node.facts().allocatable(ResourceIndex.PODS);
    for (int i = 0; i < demand.size() && fits; i++) {
      fits = demand.amount(i) <= node.free(demand.resource(i));
    }
    return fits ? FilterResult.FITS : missing(demand, node);
  }

  private ResourceVector counted(ResourceVector demand) {
    return demand.without(resource -> fit.ignores(resources.name(resource)));
  }

  private FilterResult missing(ResourceVector demand, NodeState node) {
    var reasons = new ArrayList<String>();
    boolean resolvable = true;
    if (node.podCount() >= node.facts().allocatable(ResourceIndex.PODS)) {
      reasons.add("Too many pods");
    }
    for (int i = 0; i < demand.size(); i++) {
      int resource = demand.resource(i);
      if (demand.amount(i) > node.free(resource)) {
        reasons.add("Insufficient " + resources.name(resource));
        resolvable &= demand.amount(i) <= node.facts().allocatable(resource);
      }
    }
    return unique(new FilterResult(Optional.of(Plugin.NODE_RESOURCES_FIT), reasons, resolvable));
  }

  private FilterResult unique(FilterResult result) {
    if (known.size() >= MAX_REMEMBERED) {
      known.clear();
    }
    return known.computeIfAbsent(result, same -> same);
  }

  /** Adds the reasons of a result, so many times. */
  public static void count(Map<String, Integer> counts, FilterResult result, int times) {
    result.reasons().forEach(reason -> counts.merge(reason, times, Integer::sum));
  }
}
