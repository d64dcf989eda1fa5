package dev.sluice.controllers.configuration.scheduler;

import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The section {@code plugins} of a profile, by kube-scheduler's rules: {@code multiPoint} applies
 * to all extension points of a plugin, unless the section of a point overrides it.
 */
final class PluginSection {
  private static final String ALL = "*";
  private static final String MULTI_POINT = "multiPoint";
  private static final String POST_FILTER = "postFilter";
  private static final int MAX_WEIGHT = 1_000_000;

  /**
   * The enabled plugins.
   *
   * @param preempts whether pods with a lower priority are preempted
   */
  record Chosen(SortedSet<Plugin> filters, SortedMap<Plugin, Integer> weights, boolean preempts) {

    boolean has(String name) {
      var plugin = new Plugin(name);
      return filters.contains(plugin)
          || weights.containsKey(plugin)
          || (preempts && plugin.equals(Plugin.DEFAULT_PREEMPTION));
    }
  }

  /**
   * The section of one extension point.
   *
   * @param enabled the weights of the enabled plugins, in the order of the file
   */
  record Choice(
      Section section, SequencedMap<String, Integer> enabled, SortedSet<String> disabled) {

    boolean drops(String plugin) {
      return disabled.contains(ALL) || disabled.contains(plugin);
    }
  }

  private PluginSection() {}

  static Chosen read(Section plugins) {
    Choice multi = choice(plugins, MULTI_POINT);
    SortedMap<String, Integer> everywhere = everywhere(multi);
    var choices = new TreeMap<String, Choice>();
    KnownPlugins.POINTS.forEach(point -> choices.put(point, choice(plugins, point)));
    plugins.end();
    var enabled = new TreeMap<String, SortedMap<String, Integer>>();
    choices.forEach((point, choice) -> enabled.put(point, enabled(point, choice, everywhere)));
    var wanted = new TreeSet<>(multi.enabled().keySet());
    choices.values().forEach(choice -> wanted.addAll(choice.enabled().keySet()));
    warnOfMandatory(multi, KnownPlugins.mandatory(MULTI_POINT), wanted);
    choices.forEach((point, choice) -> PluginOrder.check(point, choice, multi));
    choices.forEach((point, choice) ->
        warnOfMandatory(choice, mandatory(point, enabled), choice.enabled().keySet()));
    return new Chosen(
        filters(enabled.getOrDefault("filter", Collections.emptySortedMap())),
        weights(enabled.getOrDefault("score", Collections.emptySortedMap())),
        enabled
            .getOrDefault(POST_FILTER, Collections.emptySortedMap())
            .containsKey(Plugin.DEFAULT_PREEMPTION.word()));
  }

  private static Choice choice(Section plugins, String point) {
    Section section = plugins.section(point);
    var choice = new Choice(section, readEnabled(section, point), readDisabled(section));
    section.end();
    return choice;
  }

  private static SequencedMap<String, Integer> readEnabled(Section section, String point) {
    var enabled = new LinkedHashMap<String, Integer>();
    for (Section entry : section.sections("enabled")) {
      String name = entry.text("name", "");
      if (KnownPlugins.check(entry, name, point) && enabled.containsKey(name)) {
        entry.wrong("name", "\"%s\" is enabled twice".formatted(name));
      }
      // Without a weight, kube-scheduler takes 1, whatever the default weight of the plugin is.
      enabled.put(name, Math.max(1, entry.whole("weight", 1, 0, MAX_WEIGHT)));
      if (!point.equals("score") && !point.equals(MULTI_POINT)) {
        entry.noEffect("only scores have weights", "weight");
      }
      entry.end();
    }
    return enabled;
  }

  private static SortedSet<String> readDisabled(Section section) {
    var disabled = new TreeSet<String>();
    for (Section entry : section.sections("disabled")) {
      String name = entry.text("name", "");
      disabled.add(name);
      if (!name.equals(ALL) && !KnownPlugins.isKnown(name)) {
        entry.warn("name", "has no effect: " + KnownPlugins.unknown(name));
      }
      entry.noEffect("only scores that are enabled have weights", "weight");
      entry.end();
    }
    return disabled;
  }

  /** The plugins that are enabled at all their points, with their weights. */
  private static SortedMap<String, Integer> everywhere(Choice multi) {
    var everywhere = new TreeMap<String, Integer>();
    for (String plugin : KnownPlugins.names()) {
      if (!multi.drops(plugin)) {
        everywhere.put(plugin, Profile.WEIGHTS.getOrDefault(new Plugin(plugin), 1));
      }
    }
    everywhere.putAll(multi.enabled());
    return everywhere;
  }

  private static SortedMap<String, Integer> enabled(
      String point, Choice choice, SortedMap<String, Integer> everywhere) {
    var enabled = new TreeMap<String, Integer>();
    everywhere.forEach((plugin, weight) -> {
      if (KnownPlugins.actsAt(plugin, point) && !choice.drops(plugin)) {
        enabled.put(plugin, weight);
      }
    });
    enabled.putAll(choice.enabled());
    return enabled;
  }

  private static SortedSet<Plugin> filters(SortedMap<String, Integer> enabled) {
    var filters = new TreeSet<>(Profile.FILTERS);
    filters.removeIf(filter -> !enabled.containsKey(filter.word()));
    return filters;
  }

  private static SortedMap<Plugin, Integer> weights(SortedMap<String, Integer> enabled) {
    var weights = new TreeMap<Plugin, Integer>();
    for (Plugin plugin : Profile.WEIGHTS.keySet()) {
      Integer weight = enabled.get(plugin.word());
      if (weight != null) {
        weights.put(plugin, weight);
      }
    }
    return weights;
  }

  /** The plugins that cannot be disabled at a point: some never, some only with another point. */
  private static List<String> mandatory(
      String point, SortedMap<String, SortedMap<String, Integer>> enabled) {
    String with =
        switch (point) {
          case "preFilter" -> "filter";
          case "preScore" -> "score";
          default -> "";
        };
    var mandatory = new ArrayList<>(KnownPlugins.mandatory(point));
    enabled.getOrDefault(with, Collections.emptySortedMap()).keySet().stream()
        .filter(plugin -> KnownPlugins.actsAt(plugin, point))
        .forEach(mandatory::add);
    return mandatory;
  }

  private static void warnOfMandatory(Choice choice, List<String> mandatory, Set<String> wanted) {
    for (String plugin : mandatory) {
      if (choice.drops(plugin) && !wanted.contains(plugin)) {
        choice.section().warn("disabled", "has no effect on %s, which stays on".formatted(plugin));
      }
    }
  }
}
