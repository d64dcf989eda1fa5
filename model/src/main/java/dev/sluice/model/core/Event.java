package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;

/** An Event about an object. */
public record Event(ApiObject object) {

  /**
   * The content of an event.
   *
   * @param type {@code Normal} or {@code Warning}
   * @param component the reporting component
   */
  public record Happening(String type, String reason, String message, String component) {}

  /** The namespace of an event: that of its object, or {@code default} for a cluster-scoped one. */
  public static String namespaceFor(ApiObject about) {
    return about.namespace().isEmpty() ? "default" : about.namespace();
  }

  public static Event of(String name, ApiObject about, Happening what, Instant now) {
    String timestamp = Timestamps.format(now);
    Tree tree =
        ApiObject.of(Kinds.EVENT, namespaceFor(about), name)
            .tree()
            .with("involvedObject", reference(about))
            .with("type", what.type())
            .with("reason", what.reason())
            .with("message", what.message())
            .with("source", Tree.of("component", what.component()))
            .with("reportingComponent", what.component())
            .with("reportingInstance", "")
            .with("firstTimestamp", timestamp)
            .with("lastTimestamp", timestamp)
            .with("count", 1);
    return new Event(new ApiObject(tree));
  }

  private static Tree reference(ApiObject about) {
    Tree reference =
        Tree.of("apiVersion", about.apiVersion(), "kind", about.kind(), "name", about.name());
    reference = with(reference, "namespace", about.namespace());
    reference = with(reference, "uid", about.uid());
    return with(reference, "resourceVersion", about.resourceVersion());
  }

  private static Tree with(Tree tree, String name, String value) {
    return value.isEmpty() ? tree : tree.with(name, value);
  }

  public String type() {
    return object.tree().text("type");
  }

  public String reason() {
    return object.tree().text("reason");
  }

  public String message() {
    return object.tree().text("message");
  }

  public long count() {
    return object.tree().whole("count").orElse(1);
  }

  /** The same event, counted once more. */
  public Event again(String message, Instant now) {
    return new Event(
        object
            .with(List.of("count"), count() + 1)
            .with(List.of("message"), message)
            .with(List.of("lastTimestamp"), Timestamps.format(now)));
  }
}
