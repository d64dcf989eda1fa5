package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.Demand;
import dev.sluice.engine.scheduling.cluster.NodeFacts;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.PodShape;
import dev.sluice.engine.scheduling.cluster.Resources;
import dev.sluice.engine.scheduling.framework.Filter;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.framework.Profile.FitRules;
import dev.sluice.engine.scheduling.framework.Verdict;
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
 * The filters that look at one node alone, in the order in which they are asked. The first that
 * objects is the one that users are told of.
 *
 * <p>Threads: none; they belong to the scheduler.
 */
public final class Filters {
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
  private static final Verdict ENFORCED_LABELS =
      Verdict.unresolvable(
          Plugin.NODE_AFFINITY, "node(s) didn't match scheduler-enforced node affinity");
  private static final Verdict DISK_TAKEN =
      Verdict.rejected(Plugin.VOLUME_RESTRICTIONS, "node(s) had no available disk");
  private static final int MOST_REMEMBERED = 1000;

  /** A filter, and which pods it may object to at all. */
  private record Rule(Plugin plugin, Predicate<PodShape> concerns, Filter filter) {}

  private final Resources resources;
  private final FitRules fit;
  private final boolean ignoresSome;
  private final NodeAffinity enforced;
  private final List<Rule> rules;
  private final Filter[] all;

  /** Equal verdicts are one object, so that they are counted quickly. */
  private final LinkedHashMap<Verdict, Verdict> known = new LinkedHashMap<>();

  public Filters(Resources resources, Profile profile) {
    this.resources = resources;
    this.fit = profile.fit();
    this.ignoresSome = fit.ignoresSome();
    this.enforced = profile.added().required();
    this.rules =
        Stream.of(
                new Rule(Plugin.NODE_AFFINITY, pod -> !pod.onlyNodes().isEmpty(), Filters::names),
                new Rule(Plugin.NODE_UNSCHEDULABLE, _ -> true, Filters::cordon),
                new Rule(Plugin.TAINT_TOLERATION, _ -> true, Filters::taints),
                new Rule(Plugin.NODE_AFFINITY, this::asksForLabels, this::labels),
                new Rule(Plugin.NODE_PORTS, pod -> !pod.ports().isEmpty(), Filters::ports),
                new Rule(Plugin.NODE_RESOURCES_FIT, _ -> true, this::resources),
                new Rule(Plugin.VOLUME_RESTRICTIONS, pod -> !pod.disks().isEmpty(), Filters::disks))
            .filter(rule -> profile.filters().contains(rule.plugin()))
            .toList();
    this.all = rules.stream().map(Rule::filter).toArray(Filter[]::new);
  }

  /** Those that may object to pods of one shape, for whoever asks many nodes. */
  public Filter of(PodShape shape) {
    Filter[] some =
        rules.stream()
            .filter(rule -> rule.concerns().test(shape))
            .map(Rule::filter)
            .toArray(Filter[]::new);
    return (pod, node) -> judge(some, pod, node);
  }

  public Verdict judge(PodShape pod, NodeState node) {
    return judge(all, pod, node);
  }

  private static Verdict judge(Filter[] filters, PodShape pod, NodeState node) {
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

  private boolean asksForLabels(PodShape pod) {
    return enforced.restricted() || pod.affinity().restricted() || !pod.nodeSelector().isEmpty();
  }

  private Verdict labels(PodShape pod, NodeState node) {
    NodeFacts facts = node.facts();
    if (enforced.restricted() && !enforced.matches(facts.name(), facts.labels())) {
      return ENFORCED_LABELS;
    }
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

  private static Verdict disks(PodShape pod, NodeState node) {
    if (pod.disks().isEmpty()) {
      return Verdict.FITS;
    }
    for (PodFacts other : node.pods()) {
      for (Disk taken : other.shape().disks()) {
        if (pod.disks().stream().anyMatch(wanted -> wanted.conflictsWith(taken))) {
          return DISK_TAKEN;
        }
      }
    }
    return Verdict.FITS;
  }

  private Verdict resources(PodShape pod, NodeState node) {
    Demand demand = ignoresSome ? counted(pod.demand()) : pod.demand();
    boolean fits = node.podCount() < node.facts().allocatable(Resources.PODS);
    for (int i = 0; i < demand.size() && fits; i++) {
      fits = demand.amount(i) <= node.free(demand.resource(i));
    }
    return fits ? Verdict.FITS : missing(demand, node);
  }

  private Demand counted(Demand demand) {
    return demand.without(resource -> fit.ignores(resources.name(resource)));
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
  public static void count(Map<String, Integer> counts, Verdict verdict, int times) {
    verdict.reasons().forEach(reason -> counts.merge(reason, times, Integer::sum));
  }
}
