package dev.sluice.controllers.configuration.scheduler;

import dev.sluice.controllers.configuration.file.Findings;
import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.engine.scheduling.framework.Profile.AddedAffinity;
import dev.sluice.engine.scheduling.framework.Profile.AffinityRules;
import dev.sluice.engine.scheduling.framework.Profile.FitRules;
import dev.sluice.engine.scheduling.framework.Profile.PreemptionRules;
import dev.sluice.engine.scheduling.framework.Profile.SpreadRules;
import dev.sluice.engine.scheduling.framework.ResourceScoring.ResourceWeight;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The section {@code pluginConfig} of a profile: the arguments of its plugins. */
record PluginArguments(
    FitRules fit,
    List<String> balanced,
    SpreadRules spread,
    AddedAffinity added,
    AffinityRules affinity,
    PreemptionRules preemption) {
  private static final String FIT = "NodeResourcesFit";
  private static final String BALANCE = "NodeResourcesBalancedAllocation";
  private static final String SPREAD = "PodTopologySpread";
  private static final String NODE_AFFINITY = "NodeAffinity";
  private static final String POD_AFFINITY = "InterPodAffinity";
  private static final String PREEMPTION = "DefaultPreemption";
  private static final List<String> READ =
      List.of(FIT, BALANCE, SPREAD, NODE_AFFINITY, POD_AFFINITY, PREEMPTION);

  static PluginArguments read(Section profile, PluginSection.Chosen chosen) {
    var byPlugin = new TreeMap<String, Section>();
    for (Section entry : profile.sections("pluginConfig")) {
      String name = entry.text("name", "");
      Section arguments = entry.section("args");
      if (byPlugin.put(name, arguments) != null) {
        entry.wrong("name", "\"%s\" is configured twice".formatted(name));
      }
      if (!KnownPlugins.isKnown(name)) {
        entry.warn("name", "has no effect: " + KnownPlugins.unknown(name));
      } else {
        checkKind(arguments, name);
      }
      if (READ.contains(name) && !chosen.has(name)) {
        entry.warn("name", "has no effect: %s is switched off".formatted(name));
      }
      entry.end();
    }
    return read(byPlugin, chosen);
  }

  private static PluginArguments read(
      SortedMap<String, Section> byPlugin, PluginSection.Chosen chosen) {
    var none = new Section("", Tree.EMPTY, new Findings());
    var read =
        new PluginArguments(
            FitArguments.read(byPlugin.getOrDefault(FIT, none)),
            balanced(byPlugin.getOrDefault(BALANCE, none)),
            SpreadArguments.read(byPlugin.getOrDefault(SPREAD, none)),
            NodeAffinityArguments.read(byPlugin.getOrDefault(NODE_AFFINITY, none)),
            affinity(byPlugin.getOrDefault(POD_AFFINITY, none)),
            preemption(byPlugin.getOrDefault(PREEMPTION, none), chosen.preempts()));
    byPlugin
        .getOrDefault("VolumeBinding", none)
        .noEffect("Sluice waits 10 minutes for volumes", "bindTimeoutSeconds");
    byPlugin.getOrDefault("VolumeBinding", none).noEffect("volumes have no score", "shape");
    byPlugin
        .getOrDefault("DynamicResources", none)
        .noEffect("Sluice does not allocate devices", "filterTimeout", "bindingTimeout");
    byPlugin.forEach((name, arguments) -> {
      if (KnownPlugins.isKnown(name)) {
        arguments.end();
      }
    });
    return read;
  }

  /** Arguments may have a kind and a version, which must then be right. */
  private static void checkKind(Section arguments, String plugin) {
    String kind = plugin + "Args";
    String actual = arguments.text("kind", kind);
    if (!actual.equals(kind)) {
      arguments.wrong("kind", "\"%s\" is not %s".formatted(actual, kind));
    }
    String version = arguments.text("apiVersion", SchedulerConfigurationFile.VERSION);
    if (!version.equals(SchedulerConfigurationFile.VERSION)) {
      arguments.wrong(
          "apiVersion", "\"%s\" is not %s".formatted(version, SchedulerConfigurationFile.VERSION));
    }
  }

  private static List<String> balanced(Section arguments) {
    List<ResourceWeight> resources = FitArguments.resources(arguments, 1);
    var names = new TreeSet<String>();
    for (ResourceWeight resource : resources) {
      if (!names.add(resource.resource())) {
        arguments.wrong("resources", "\"%s\" is there twice".formatted(resource.resource()));
      }
    }
    return resources.stream().map(ResourceWeight::resource).toList();
  }

  private static AffinityRules affinity(Section arguments) {
    return new AffinityRules(
        arguments.whole("hardPodAffinityWeight", AffinityRules.DEFAULT.requiredWeight(), 0, 100),
        arguments.flag("ignorePreferredTermsOfExistingPods", false));
  }

  private static PreemptionRules preemption(Section arguments, boolean enabled) {
    PreemptionRules defaults = PreemptionRules.DEFAULT;
    int percent = arguments.whole("minCandidateNodesPercentage", defaults.percent(), 0, 100);
    int absolute = arguments.whole("minCandidateNodesAbsolute", defaults.least(), 0);
    if (percent == 0 && absolute == 0) {
      arguments.wrong(
          "minCandidateNodesPercentage",
          "must not be 0 together with minCandidateNodesAbsolute: no node would be looked at");
    }
    return new PreemptionRules(enabled, percent, absolute);
  }
}
