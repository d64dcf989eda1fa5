package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.framework.Profile.AddedAffinity;
import dev.sluice.engine.scheduling.framework.Profile.AffinityRules;
import dev.sluice.engine.scheduling.framework.Profile.FitRules;
import dev.sluice.engine.scheduling.framework.Profile.PreemptionRules;
import dev.sluice.engine.scheduling.framework.Profile.SpreadRules;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.core.pod.SpreadConstraint;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Profiles for tests, each like the default one but for one thing. */
final class Profiles {
  private static final Profile DEFAULT = Profile.DEFAULT;

  private Profiles() {}

  private static Profile with(
      SortedSet<Plugin> filters, SortedMap<Plugin, Integer> weights, PreemptionRules preemption) {
    return new Profile(
        DEFAULT.names(),
        0,
        filters,
        weights,
        DEFAULT.fit(),
        DEFAULT.balanced(),
        DEFAULT.spread(),
        DEFAULT.added(),
        DEFAULT.affinity(),
        preemption);
  }

  private static Profile with(
      FitRules fit, SpreadRules spread, AddedAffinity added, AffinityRules affinity) {
    return new Profile(
        DEFAULT.names(),
        0,
        DEFAULT.filters(),
        DEFAULT.weights(),
        fit,
        DEFAULT.balanced(),
        spread,
        added,
        affinity,
        DEFAULT.preemption());
  }

  static Profile without(Plugin filter) {
    var filters = new TreeSet<>(Profile.FILTERS);
    filters.remove(filter);
    return with(filters, DEFAULT.weights(), DEFAULT.preemption());
  }

  static Profile weighing(Plugin plugin, int weight) {
    var weights = new TreeMap<>(Profile.WEIGHTS);
    weights.put(plugin, weight);
    return with(DEFAULT.filters(), weights, DEFAULT.preemption());
  }

  static Profile fitting(FitRules fit) {
    return with(fit, DEFAULT.spread(), DEFAULT.added(), DEFAULT.affinity());
  }

  static Profile spreading(String... constraints) {
    var rules =
        List.of(constraints).stream()
            .map(text -> (Tree) Yaml.parseAll("{%s}".formatted(text)).getFirst())
            .toList();
    List<SpreadConstraint> read =
        new PodSpec(Tree.of("topologySpreadConstraints", rules)).spreadConstraints();
    return with(DEFAULT.fit(), new SpreadRules(false, read), DEFAULT.added(), DEFAULT.affinity());
  }

  static Profile adding(String nodeAffinity) {
    Tree affinity = (Tree) Yaml.parseAll("{%s}".formatted(nodeAffinity)).getFirst();
    var spec = new PodSpec(Tree.of("affinity", Tree.of("nodeAffinity", affinity)));
    return with(
        DEFAULT.fit(),
        DEFAULT.spread(),
        new AddedAffinity(spec.nodeAffinity(), spec.preferredNodeTerms()),
        DEFAULT.affinity());
  }

  static Profile interPodAffinity(int requiredWeight, boolean ignoresOthers) {
    return with(
        DEFAULT.fit(),
        DEFAULT.spread(),
        DEFAULT.added(),
        new AffinityRules(requiredWeight, ignoresOthers));
  }

  /** Nobody has to leave for others. */
  static Profile peaceful() {
    return with(DEFAULT.filters(), DEFAULT.weights(), new PreemptionRules(false, 10, 100));
  }
}
