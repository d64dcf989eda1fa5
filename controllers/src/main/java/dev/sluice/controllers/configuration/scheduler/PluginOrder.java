package dev.sluice.controllers.configuration.scheduler;

import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.controllers.configuration.scheduler.PluginSection.Choice;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Finds out whether a file gives plugins another order than they have by default where
 * kube-scheduler would then do something else. Here their order is always the default one.
 *
 * <p>At the other points the order makes no difference to where pods go: all filters must agree,
 * and scores are added up.
 */
final class PluginOrder {
  private static final List<String> POINTS = List.of("postFilter", "reserve", "preBind");

  private PluginOrder() {}

  static void check(String point, Choice choice, Choice multi) {
    if (!POINTS.contains(point)) {
      return;
    }
    List<String> wanted = order(point, choice, multi);
    List<String> usual = KnownPlugins.names().stream().filter(wanted::contains).toList();
    if (!wanted.equals(usual)) {
      Section said = (choice.enabled().isEmpty() ? multi : choice).section();
      said.warn(
          "enabled",
          "has no effect on the order at %s, which is always %s"
              .formatted(point, String.join(", ", usual)));
    }
  }

  /**
   * The order that kube-scheduler makes of it: first what the point itself enables anew, then what
   * is enabled everywhere, then what else the point enables.
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
