package dev.sluice.apiserver.registry.kind;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.OptionalLong;

/**
 * The subresource {@code scale} of a kind: where its objects keep what a Scale shows.
 *
 * @param replicas the field with the wanted number
 * @param observed the field with the number that there is
 * @param selector the field with the label selector of the pods as a string; empty if there is none
 */
public record Scaling(List<String> replicas, List<String> observed, List<String> selector) {
  public static final String SUBRESOURCE = "scale";

  public Scaling {
    replicas = List.copyOf(replicas);
    observed = List.copyOf(observed);
    selector = List.copyOf(selector);
  }

  /** From the {@code scale} of a version of a definition. */
  static Scaling of(Tree scale) {
    return new Scaling(
        path(scale.text("specReplicasPath")),
        path(scale.text("statusReplicasPath")),
        path(scale.text("labelSelectorPath")));
  }

  private static List<String> path(String text) {
    return text.isEmpty() ? List.of() : List.of(text.substring(1).split("\\.", -1));
  }

  private static Value at(ApiObject object, List<String> path) {
    return path.isEmpty() ? Value.Null.NULL : object.tree().at(path.toArray(String[]::new));
  }

  /** The Scale of an object; without a number if the object has none. */
  public ApiObject read(ApiObject object) {
    Tree metadata = Tree.EMPTY;
    for (String field :
        List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      metadata =
          object.metadata().has(field)
              ? metadata.with(field, object.metadata().at(field))
              : metadata;
    }
    Tree status = Tree.of("replicas", whole(object, observed).orElse(0));
    if (at(object, selector) instanceof Value.Text(String text)) {
      status = status.with("selector", text);
    }
    OptionalLong wanted = whole(object, replicas);
    return new ApiObject(
        Tree.of(
            "kind",
            Kinds.SCALE.kind(),
            "apiVersion",
            Kinds.SCALE.apiVersion(),
            "metadata",
            metadata,
            "spec",
            wanted.isPresent() ? Tree.of("replicas", wanted.getAsLong()) : Tree.EMPTY,
            "status",
            status));
  }

  private static OptionalLong whole(ApiObject object, List<String> path) {
    return at(object, path) instanceof Value.Whole(long number)
        ? OptionalLong.of(number)
        : OptionalLong.empty();
  }

  /**
   * The object with the number of a Scale, and with the uid and the revision that the Scale names,
   * which the object must still have.
   */
  public Tree write(ObjectKey key, Tree object, Tree scale) {
    ApiObject asked = new ApiObject(scale);
    if (!asked.isA(Kinds.SCALE)) {
      throw ApiErrors.badRequest(
          "the body must be a Scale of %s, not a %s of %s"
              .formatted(Kinds.SCALE.apiVersion(), asked.kind(), asked.apiVersion()));
    }
    if (!asked.name().equals(key.name())) {
      throw ApiErrors.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(asked.name(), key.name()));
    }
    Value wanted = scale.at("spec", "replicas");
    long number =
        switch (wanted) {
          case Value.Whole(long whole) when whole >= 0 && whole <= Integer.MAX_VALUE -> whole;
          case Value.Null _ -> 0;
          case Value other ->
              throw ApiFailure.invalid(
                  Kinds.SCALE,
                  key.name(),
                  List.of(
                      Cause.invalid(
                          "spec.replicas", other, "must be a whole number from 0 to 2147483647")));
        };
    ApiObject scaled = new ApiObject(object.with(replicas, number));
    for (String field : List.of("uid", "resourceVersion")) {
      String named = scale.text("metadata", field);
      scaled = named.isEmpty() ? scaled : scaled.withMetadata(field, named);
    }
    return scaled.tree();
  }
}
