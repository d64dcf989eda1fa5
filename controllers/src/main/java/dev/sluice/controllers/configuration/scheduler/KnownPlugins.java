package dev.sluice.controllers.configuration.scheduler;

import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.controllers.configuration.file.Suggestion;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The plugins of kube-scheduler's default profile, with their extension points. */
final class KnownPlugins {
  static final List<String> POINTS =
      List.of(
          "preEnqueue",
          "queueSort",
          "preFilter",
          "filter",
          "postFilter",
          "preScore",
          "score",
          "reserve",
          "permit",
          "preBind",
          "bind",
          "postBind");

  /** A plugin that Sluice does not have: features that nodes declare are ignored. */
  private static final String UNSUPPORTED = "NodeDeclaredFeatures";

  /** The plugins in the default order of kube-scheduler. */
  private static final Map<String, List<String>> BY_NAME = byName();

  private KnownPlugins() {}

  private static Map<String, List<String>> byName() {
    var points = new LinkedHashMap<String, List<String>>();
    List<String> filters = List.of("preFilter", "filter");
    List<String> both = List.of("preFilter", "filter", "preScore", "score");
    points.put("SchedulingGates", List.of("preEnqueue"));
    points.put("PrioritySort", List.of("queueSort"));
    points.put("NodeUnschedulable", List.of("filter"));
    points.put("NodeName", List.of("filter"));
    points.put("TaintToleration", List.of("filter", "preScore", "score"));
    points.put("NodeAffinity", both);
    points.put("NodePorts", filters);
    points.put("NodeResourcesFit", both);
    points.put("VolumeRestrictions", filters);
    points.put("NodeVolumeLimits", filters);
    points.put(
        "VolumeBinding", List.of("preFilter", "filter", "preScore", "score", "reserve", "preBind"));
    points.put("VolumeZone", filters);
    points.put("PodTopologySpread", both);
    points.put("InterPodAffinity", both);
    points.put(
        "DynamicResources",
        List.of("preEnqueue", "preFilter", "filter", "postFilter", "score", "reserve", "preBind"));
    points.put("DefaultPreemption", List.of("preEnqueue", "postFilter"));
    points.put("NodeResourcesBalancedAllocation", List.of("preScore", "score"));
    points.put("ImageLocality", List.of("score"));
    points.put("DefaultBinder", List.of("bind"));
    points.put(UNSUPPORTED, filters);
    return Collections.unmodifiableMap(points);
  }

  /** The plugins in the default order of kube-scheduler. */
  static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  static boolean isKnown(String plugin) {
    return BY_NAME.containsKey(plugin);
  }

  static boolean actsAt(String plugin, String point) {
    return BY_NAME.getOrDefault(plugin, List.of()).contains(point);
  }

  /** The message about an unknown plugin. */
  static String unknown(String plugin) {
    return "there is no plugin \"%s\"%s".formatted(plugin, Suggestion.of(plugin, BY_NAME.keySet()));
  }

  /**
   * Checks a plugin that is enabled at a point, or at all its points; returns whether it exists
   * there.
   */
  static boolean check(Section entry, String plugin, String point) {
    boolean everywhere = !POINTS.contains(point);
    if (!isKnown(plugin)) {
      entry.wrong(
          "name",
          unknown(plugin) + ", and pods must not be bound without it; take it out if they may be");
      return false;
    }
    if (!everywhere && !actsAt(plugin, point)) {
      entry.wrong("name", "\"%s\" does nothing at %s".formatted(plugin, point));
      return false;
    }
    boolean scoreless = point.equals("score") && !Profile.WEIGHTS.containsKey(new Plugin(plugin));
    if (plugin.equals(UNSUPPORTED) || scoreless) {
      entry.warn(
          "name",
          "has no effect: Sluice does not have %s%s".formatted(plugin, scoreless ? " there" : ""));
    }
    return true;
  }

  /** The plugins that cannot be disabled at a point, or at any point. */
  static List<String> mandatory(String point) {
    return BY_NAME.keySet().stream()
        .filter(plugin -> !plugin.equals(UNSUPPORTED))
        .filter(plugin -> !POINTS.contains(point) || actsAt(plugin, point))
        .filter(plugin -> !isOptional(new Plugin(plugin), point))
        .toList();
  }

  /** Whether a plugin can be disabled; preFilter and preScore follow filter and score. */
  private static boolean isOptional(Plugin plugin, String point) {
    return switch (point) {
      case "filter" -> Profile.FILTERS.contains(plugin);
      case "score", "postFilter", "preFilter", "preScore" -> true;
      default ->
          Profile.FILTERS.contains(plugin)
              || Profile.WEIGHTS.containsKey(plugin)
              || plugin.equals(Plugin.DEFAULT_PREEMPTION);
    };
  }
}
