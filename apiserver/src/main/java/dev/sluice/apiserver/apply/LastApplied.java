package dev.sluice.apiserver.apply;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * The annotation in which client-side {@code kubectl apply} keeps the configuration it applied. A
 * user who switches to {@code kubectl apply --server-side} must not conflict with that
 * configuration.
 */
final class LastApplied {
  /** The manager as which kubectl applies. */
  static final String KUBECTL = "kubectl";

  private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
  private static final List<String> PATH = List.of("metadata", "annotations", ANNOTATION);

  private LastApplied() {}

  /** The fields of an object that still have the value from the annotation. */
  static FieldSet unchanged(ManagedPart part, ApiObject object) {
    try {
      Tree remembered = Json.parse(object.annotation(ANNOTATION)).asTree();
      if (!remembered.text("apiVersion").equals(part.kind().apiVersion())) {
        return FieldSet.EMPTY;
      }
      Comparison since = Comparison.of(part.mergeSchema(), remembered, object.tree());
      return FieldsOf.value(part.mergeSchema(), remembered)
          .minus(since.removed())
          .minus(since.modified())
          .minus(since.added());
    } catch (MalformedText notOurs) {
      return FieldSet.EMPTY;
    }
  }

  /** The object with its annotation, if it has one, updated to the new configuration. */
  static ApiObject refreshed(ApiObject object, Tree configuration) {
    if (object.annotation(ANNOTATION).isEmpty()) {
      return object;
    }
    return object.with(PATH, Json.write(configuration.without(PATH)) + "\n");
  }
}
