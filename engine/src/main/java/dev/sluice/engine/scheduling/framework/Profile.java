package dev.sluice.engine.scheduling.framework;

import dev.sluice.engine.scheduling.cluster.SpreadDefaults;
import dev.sluice.model.core.node.NodeAffinity;
import dev.sluice.model.core.node.PreferredNodeTerm;
import dev.sluice.model.core.pod.SpreadConstraint;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A scheduling profile: the plugins that filter and score for the pods that ask for it by name,
 * with their arguments.
 *
 * @param names the values of {@code schedulerName} that select it; the first is the one that
 *     messages show
 * @param percentOfNodes the percentage of nodes that must be found feasible before the search ends;
 *     0 derives it from the size of the cluster
 * @param filters the enabled filters; filters that cannot be disabled are not among them
 * @param weights the enabled scores and their weights
 * @param balanced the resources whose utilization should be balanced
 * @param preemption whether and how pods are preempted
 */
public record Profile(
    List<String> names,
    int percentOfNodes,
    SortedSet<Plugin> filters,
    SortedMap<Plugin, Integer> weights,
    FitRules fit,
    List<String> balanced,
    SpreadRules spread,
    AddedAffinity added,
    AffinityRules affinity,
    PreemptionRules preemption) {

  /** The filters that a profile may disable. */
  public static final SortedSet<Plugin> FILTERS =
      sorted(
          List.of(
              Plugin.NODE_UNSCHEDULABLE,
              Plugin.TAINT_TOLERATION,
              Plugin.NODE_AFFINITY,
              Plugin.NODE_PORTS,
              Plugin.NODE_RESOURCES_FIT,
              Plugin.VOLUME_RESTRICTIONS,
              Plugin.NODE_VOLUME_LIMITS,
              Plugin.VOLUME_ZONE,
              Plugin.POD_TOPOLOGY_SPREAD,
              Plugin.INTER_POD_AFFINITY));

  /** All scores, with their default weights. */
  public static final SortedMap<Plugin, Integer> WEIGHTS = usualWeights();

  /**
   * The profile of kube-scheduler without a configuration file, for a cluster without other
   * schedulers.
   */
  public static final Profile DEFAULT =
      new Profile(
          List.of("default-scheduler", "", "sluice"),
          0,
          FILTERS,
          WEIGHTS,
          FitRules.DEFAULT,
          List.of("cpu", "memory"),
          SpreadRules.DEFAULT,
          AddedAffinity.NONE,
          AffinityRules.DEFAULT,
          PreemptionRules.DEFAULT);

  public Profile {
    names = List.copyOf(names);
    filters = sorted(filters);
    weights = Collections.unmodifiableSortedMap(new TreeMap<>(weights));
    balanced = List.copyOf(balanced);
    if (names.isEmpty()) {
      throw new IllegalArgumentException("a profile needs a name by which pods ask for it");
    }
  }

  private static SortedMap<Plugin, Integer> usualWeights() {
    var weights = new TreeMap<Plugin, Integer>();
    weights.put(Plugin.TAINT_TOLERATION, 3);
    weights.put(Plugin.NODE_AFFINITY, 2);
    weights.put(Plugin.NODE_RESOURCES_FIT, 1);
    weights.put(Plugin.POD_TOPOLOGY_SPREAD, 2);
    weights.put(Plugin.INTER_POD_AFFINITY, 2);
    weights.put(Plugin.BALANCED_ALLOCATION, 1);
    weights.put(Plugin.IMAGE_LOCALITY, 1);
    return Collections.unmodifiableSortedMap(weights);
  }

  private static SortedSet<Plugin> sorted(Iterable<Plugin> plugins) {
    var sorted = new TreeSet<Plugin>();
    plugins.forEach(sorted::add);
    return Collections.unmodifiableSortedSet(sorted);
  }

  /** The same profile under another name. */
  public Profile named(String name) {
    return new Profile(
        List.of(name),
        percentOfNodes,
        filters,
        weights,
        fit,
        balanced,
        spread,
        added,
        affinity,
        preemption);
  }

  /** The name that messages show. */
  public String name() {
    return names.getFirst();
  }

  /** The weight of a score; 0 if it is disabled. */
  public int weight(Plugin plugin) {
    return weights.getOrDefault(plugin, 0);
  }

  /**
   * The arguments of NodeResourcesFit.
   *
   * @param ignoredResources extended resources that are not checked
   * @param ignoredGroups prefixes, up to the slash, of such resources
   */
  public record FitRules(
      ResourceScoring scoring,
      SortedSet<String> ignoredResources,
      SortedSet<String> ignoredGroups) {
    public static final FitRules DEFAULT =
        new FitRules(
            ResourceScoring.DEFAULT, Collections.emptySortedSet(), Collections.emptySortedSet());

    public FitRules {
      ignoredResources = Collections.unmodifiableSortedSet(new TreeSet<>(ignoredResources));
      ignoredGroups = Collections.unmodifiableSortedSet(new TreeSet<>(ignoredGroups));
    }

    public boolean ignoresSome() {
      return !ignoredResources.isEmpty() || !ignoredGroups.isEmpty();
    }

    /** Whether a resource is not checked; never true for Kubernetes' own resources. */
    public boolean ignores(String resource) {
      int slash = resource.indexOf('/');
      return slash > 0
          && !resource.contains("kubernetes.io/")
          && (ignoredResources.contains(resource)
              || ignoredGroups.contains(resource.substring(0, slash)));
    }
  }

  /**
   * The default constraints of PodTopologySpread, for pods without their own.
   *
   * @param system whether these are Kubernetes' own defaults, which also score nodes that lack a
   *     label
   * @param constraints the constraints without selectors, which are derived for each pod
   */
  public record SpreadRules(boolean system, List<SpreadConstraint> constraints) {
    public static final SpreadRules DEFAULT = new SpreadRules(true, SpreadDefaults.WISHES);

    public SpreadRules {
      constraints = List.copyOf(constraints);
    }

    /** The constraints that filter nodes, or those that only score them. */
    public List<SpreadConstraint> constraints(boolean required) {
      return constraints.stream().filter(rule -> rule.required() == required).toList();
    }
  }

  /** The node affinity that the administrator adds to every pod. */
  public record AddedAffinity(NodeAffinity required, List<PreferredNodeTerm> preferred) {
    public static final AddedAffinity NONE = new AddedAffinity(NodeAffinity.NONE, List.of());

    public AddedAffinity {
      preferred = List.copyOf(preferred);
    }
  }

  /**
   * The arguments of InterPodAffinity.
   *
   * @param requiredWeight the weight of required affinity terms of existing pods
   * @param ignoresOthers whether preferences of existing pods are ignored for pods that have none
   */
  public record AffinityRules(int requiredWeight, boolean ignoresOthers) {
    public static final AffinityRules DEFAULT = new AffinityRules(1, false);
  }

  /**
   * The arguments of DefaultPreemption: whether pods are preempted, and among how many candidate
   * nodes the best is chosen.
   *
   * @param percent the share of the nodes where preemption may help
   * @param least the minimum number of candidates, if there are as many
   */
  public record PreemptionRules(boolean enabled, int percent, int least) {
    public static final PreemptionRules DEFAULT = new PreemptionRules(true, 10, 100);

    /** How many candidates must be found before the search ends. */
    public int enough(int nodes) {
      return (int) Math.min(nodes, Math.max((long) nodes * percent / 100, least));
    }
  }
}
