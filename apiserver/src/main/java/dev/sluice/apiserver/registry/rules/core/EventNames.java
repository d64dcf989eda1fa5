package dev.sluice.apiserver.registry.rules.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * The conversion between the two forms of an event. The group {@code events.k8s.io} has the same
 * fields as the core group under other names, so nothing is lost.
 */
public final class EventNames {
  /** A field that both have. */
  private record Field(String core, String grouped) {}

  private static final List<Field> FIELDS =
      List.of(
          new Field("involvedObject", "regarding"),
          new Field("message", "note"),
          new Field("reportingComponent", "reportingController"),
          new Field("source", "deprecatedSource"),
          new Field("firstTimestamp", "deprecatedFirstTimestamp"),
          new Field("lastTimestamp", "deprecatedLastTimestamp"),
          new Field("count", "deprecatedCount"));

  private EventNames() {}

  /** The event in the form of an {@code apiVersion}. */
  public static ApiObject in(String apiVersion, ApiObject event) {
    if (event.apiVersion().equals(apiVersion)) {
      return event;
    }
    boolean grouped = apiVersion.equals(Kinds.GROUPED_EVENT.apiVersion());
    Tree tree = event.tree().with("apiVersion", apiVersion);
    for (Field field : FIELDS) {
      String from = grouped ? field.core() : field.grouped();
      String to = grouped ? field.grouped() : field.core();
      if (tree.has(from)) {
        tree = tree.with(to, tree.at(from)).without(from);
      }
    }
    return new ApiObject(tree);
  }

  /** The event in the form in which it is stored. */
  public static Tree core(ApiObject event) {
    return in(Kinds.EVENT.apiVersion(), event).tree();
  }
}
