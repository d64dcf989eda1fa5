package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.apply.Applier;
import dev.sluice.apiserver.registry.Registry.Applied;
import dev.sluice.apiserver.registry.kind.ApiErrors;
import dev.sluice.apiserver.registry.kind.KindRegistry;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.runtime.TimeSource;

/**
 * Server-side apply over the store: updates objects, or creates those that are missing. Threads:
 * safe.
 */
final class ServerSideApply {
  private final StorageWriter writer;
  private final Creator creator;
  private final Updater updater;
  private final KindRegistry kinds;
  private final TimeSource time;

  ServerSideApply(
      StorageWriter writer, Creator creator, Updater updater, KindRegistry kinds, TimeSource time) {
    this.kinds = kinds;
    this.writer = writer;
    this.creator = creator;
    this.updater = updater;
    this.time = time;
  }

  /** Applies the configuration to the object, or creates the object from it. */
  Applied apply(
      Updater.Target target,
      Tree configuration,
      boolean force,
      WriteOptions options,
      Runnable beforeCreation) {
    checkType(target, configuration);
    var applier =
        new Applier(
            kinds.part(target.ruled(), target.subresource()),
            options.manager().name(),
            force,
            time.now());
    for (int attempt = 1; ; attempt++) {
      boolean creates = target.subresource().isEmpty() && writer.read(target.key()).isEmpty();
      try {
        if (!creates) {
          return new Applied(update(target, applier, configuration, options), false);
        }
        beforeCreation.run();
        return new Applied(create(target, applier, configuration, options), true);
      } catch (ApiException refused) {
        // The object was created or removed concurrently.
        Reason race = creates ? Reason.ALREADY_EXISTS : Reason.NOT_FOUND;
        if (!refused.is(race) || !target.subresource().isEmpty() || attempt == Updater.ATTEMPTS) {
          throw refused;
        }
      }
    }
  }

  private static void checkType(Updater.Target target, Tree configuration) {
    ResourceKind kind = target.ruled().kind();
    if (!new ApiObject(configuration).isA(kind)) {
      throw ApiErrors.badRequest(
          "invalid object type: %s; this path takes %s"
              .formatted(
                  type(configuration.text("apiVersion"), configuration.text("kind")),
                  type(kind.apiVersion(), kind.kind())));
    }
    if (configuration.at("metadata", "managedFields") != Value.Null.NULL) {
      throw ApiErrors.badRequest("metadata.managedFields must be nil");
    }
  }

  private static String type(String apiVersion, String kind) {
    return (apiVersion.contains("/") ? "" : "/") + apiVersion + ", Kind=" + kind;
  }

  private ApiObject update(
      Updater.Target target, Applier applier, Tree configuration, WriteOptions options) {
    return updater.patch(
        target,
        object -> applier.apply(new ApiObject(object), configuration).tree(),
        options.accounted());
  }

  private ApiObject create(
      Updater.Target target, Applier applier, Tree configuration, WriteOptions options) {
    ApiObject object = applier.create(configuration);
    Updater.checkPlace(target.key(), object);
    if (!object.uid().isEmpty()) {
      throw ApiFailure.conflict(
          target.key(),
          "uid mismatch: the provided object specified uid %s, and no existing object was found"
              .formatted(object.uid()));
    }
    if (!object.resourceVersion().isEmpty()) {
      throw ApiFailure.conflict(target.key());
    }
    Tree named = object.withMetadata("name", target.key().name()).tree();
    return creator.create(target.ruled(), target.key().namespace(), named, options.accounted());
  }
}
