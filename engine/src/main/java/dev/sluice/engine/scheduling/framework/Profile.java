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
 * How pods are scheduled that ask for it by a name: which rules have a say, and how they judge.
 *
 * @param names what pods may write in {@code schedulerName} to mean it; the first is the one that
 *     users are shown
 * @param percentOfNodes how many of all nodes must be found feasible before the search ends; 0 lets
 *     the size of the cluster decide
 * @param filters those that may refuse a node; what cannot be switched off is not among them
 * @param weights those that score nodes, and how much each counts
 * @param balanced the resources that should be used alike
 * @param preemption empty if nobody has to leave for others
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

  /** The filters that a profile may do without. */
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

  /** The scores that there are, with the weights they have unless somebody says otherwise. */
  public static final SortedMap<Plugin, Integer> WEIGHTS = usualWeights();

  /** What kube-scheduler does without a file; in a world that has no other scheduler. */
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
      throw new IllegalArgumentException("nobody can ask for a profile without a name");
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

  /** The same for pods that ask for one name. */
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

  /** The name that users are shown. */
  public String name() {
    return names.getFirst();
  }

  /** How much a score counts; nothing if it is switched off. */
  public int weight(Plugin plugin) {
    return weights.getOrDefault(plugin, 0);
  }

  /**
   * What NodeResourcesFit looks at.
   *
   * @param ignoredResources extended resources that need not be there
   * @param ignoredGroups the part before the slash of such resources
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

    /** Whether a resource need not be there; only those that Kubernetes does not know itself. */
    public boolean ignores(String resource) {
      int slash = resource.indexOf('/');
      return slash > 0
          && !resource.contains("kubernetes.io/")
          && (ignoredResources.contains(resource)
              || ignoredGroups.contains(resource.substring(0, slash)));
    }
  }

  /**
   * How pods are spread that do not say it themselves.
   *
   * @param system whether these are Kubernetes' own wishes, which do not care for nodes that lack a
   *     label
   * @param constraints without selectors: those are found for each pod
   */
  public record SpreadRules(boolean system, List<SpreadConstraint> constraints) {
    public static final SpreadRules DEFAULT = new SpreadRules(true, SpreadDefaults.WISHES);

    public SpreadRules {
      constraints = List.copyOf(constraints);
    }

    /** Those that refuse nodes, or those that only like them less. */
    public List<SpreadConstraint> constraints(boolean required) {
      return constraints.stream().filter(rule -> rule.required() == required).toList();
    }
  }

  /** What the administrator asks of nodes' labels, for every pod. */
  public record AddedAffinity(NodeAffinity required, List<PreferredNodeTerm> preferred) {
    public static final AddedAffinity NONE = new AddedAffinity(NodeAffinity.NONE, List.of());

    public AddedAffinity {
      preferred = List.copyOf(preferred);
    }
  }

  /**
   * How InterPodAffinity scores.
   *
   * @param requiredWeight how much it counts that a pod which is there requires company
   * @param ignoresOthers whether pods without such wishes need not care for those of others
   */
  public record AffinityRules(int requiredWeight, boolean ignoresOthers) {
    public static final AffinityRules DEFAULT = new AffinityRules(1, false);
  }

  /**
   * Whether less important pods have to leave, and among how many nodes the best one is sought.
   *
   * @param percent of the nodes where it would help
   * @param least so many in any case, if there are
   */
  public record PreemptionRules(boolean enabled, int percent, int least) {
    public static final PreemptionRules DEFAULT = new PreemptionRules(true, 10, 100);

    /** How many nodes must be found before the search ends. */
    public int enough(int nodes) {
      return (int) Math.min(nodes, Math.max((long) nodes * percent / 100, least));
    }
  }
}
