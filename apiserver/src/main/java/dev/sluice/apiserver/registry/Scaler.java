package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.registry.kind.ApiErrors;
import dev.sluice.apiserver.registry.kind.RuledKind;
import dev.sluice.apiserver.registry.kind.Scaling;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import java.util.function.UnaryOperator;

/** The subresource {@code scale} of objects: a write of it changes the object. Threads: safe. */
record Scaler(Updater updater) {

  /** The Scale of an object in the version of the kind. */
  static ApiObject read(RuledKind ruled, ApiObject object) {
    return ruled
        .scaling()
        .map(scaling -> scaling.read(object))
        .orElseThrow(
            () -> ApiErrors.noSuchSubresource(object.key(ruled.kind()), Scaling.SUBRESOURCE));
  }

  /** Changes a Scale by a function of its current state. */
  ApiObject update(Updater.Target target, UnaryOperator<Tree> change, WriteOptions options) {
    Scaling scaling = target.ruled().scaling().orElseThrow();
    ApiObject scaled =
        updater.patch(
            target,
            object ->
                scaling.write(
                    target.key(), object, change.apply(scaling.read(new ApiObject(object)).tree())),
            options);
    return scaling.read(scaled);
  }

  static RuntimeException notApplied() {
    return ApiErrors.badRequest(
        "a Scale cannot be applied: update or patch it, or apply the object itself");
  }
}
