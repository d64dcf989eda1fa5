package dev.sluice.controllers.configuration.scheduler;

import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.controllers.configuration.scheduler.PluginSection.Choice;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The check for an order of plugins that would make a difference in kube-scheduler. Here the order
 * is always the default one.
 *
 * <p>At the other extension points the order does not matter: all filters must pass, and scores are
 * added up.
 */
final class PluginOrder {
  private static final List<String> POINTS = List.of("postFilter", "reserve", "preBind");

  private PluginOrder() {}

  static void check(String point, Choice choice, Choice multi) {
    if (!POINTS.contains(point)) {
      return;
    }
    List<String> configured = order(point, choice, multi);
    List<String> defaults = KnownPlugins.names().stream().filter(configured::contains).toList();
    if (!configured.equals(defaults)) {
      Section section = (choice.enabled().isEmpty() ? multi : choice).section();
      section.warn(
          "enabled",
          "has no effect on the order at %s, which is always %s"
              .formatted(point, String.join(", ", defaults)));
    }
  }

  /**
   * The order in kube-scheduler: first the plugins of {@code multiPoint} that the point enables
   * again, then the others of {@code multiPoint}, then the rest of the point.
   */
  private static List<String> order(String point, Choice choice, Choice multi) {
    var everywhere = new LinkedHashSet<>(KnownPlugins.names());
    everywhere.removeIf(multi::drops);
    everywhere.addAll(multi.enabled().keySet());
    var order = new LinkedHashSet<>(choice.enabled().keySet());
    order.retainAll(everywhere);
    everywhere.stream().filter(plugin -> !choice.drops(plugin)).forEach(order::add);
    order.addAll(choice.enabled().keySet());
    order.removeIf(plugin -> !KnownPlugins.actsAt(plugin, point));
    return List.copyOf(order);
  }
}
