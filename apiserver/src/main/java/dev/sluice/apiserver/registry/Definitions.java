package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.registry.kind.CustomKinds;
import dev.sluice.apiserver.registry.rules.definition.DefinitionRules;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.StaleException;
import dev.sluice.store.Store;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/**
 * The cleanup of deleted CustomResourceDefinitions: their objects are deleted first, then their
 * names become free. All of its state is in the store, so it continues after a restart. Threads:
 * safe.
 */
final class Definitions {
  private final Store store;
  private final TimeSource time;
  private final DefinitionRules rules;
  private final BiConsumer<ObjectKey, DeleteRequest> delete;

  /**
   * @param delete deletes one object of a custom kind
   */
  Definitions(
      Store store,
      TimeSource time,
      DefinitionRules rules,
      BiConsumer<ObjectKey, DeleteRequest> delete) {
    this.store = store;
    this.time = time;
    this.rules = rules;
    this.delete = delete;
  }

  /** Continues the deletions that were in progress when the server stopped. */
  void resume() {
    for (ApiObject definition : store.snapshot().list(Kinds.CUSTOM_RESOURCE_DEFINITION)) {
      if (definition.isDeleting()) {
        empty(definition);
      }
    }
  }

  /** Deletes the objects of a deleted definition, and the definition if none is left. */
  void empty(ApiObject definition) {
    ResourceKind kind = CustomKinds.kindOf(definition);
    for (ApiObject object : store.snapshot().list(kind)) {
      var request =
          new DeleteRequest(
              OptionalLong.empty(),
              Optional.of(Deletion.Propagation.BACKGROUND),
              Optional.of(object.uid()),
              Optional.empty(),
              false);
      try {
        delete.accept(object.key(kind), request);
      } catch (ApiException refused) {
        // Deleted already, or replaced by another object: either way there is nothing to delete.
        if (!refused.is(ApiFailure.Reason.NOT_FOUND) && !refused.is(ApiFailure.Reason.CONFLICT)) {
          throw refused;
        }
      }
    }
    finish(definition.key(Kinds.CUSTOM_RESOURCE_DEFINITION));
  }

  /** An object was removed: perhaps the last one that its definition waits for. */
  void removed(ObjectKey key) {
    if (key.kind().equals(Kinds.CUSTOM_RESOURCE_DEFINITION)) {
      reconsiderNames(key);
    } else {
      finish(CustomKinds.definitionOf(key.kind()));
    }
  }

  /** Removes a deleted definition that has no objects left. */
  private void finish(ObjectKey key) {
    while (true) {
      Optional<ApiObject> found = store.get(key);
      boolean waits =
          found
              .filter(ApiObject::isDeleting)
              .filter(definition -> definition.hasFinalizer(DefinitionRules.CLEANUP))
              .filter(definition -> store.snapshot().list(CustomKinds.kindOf(definition)).isEmpty())
              .isPresent();
      if (!waits) {
        return;
      }
      try {
        release(key, found.orElseThrow());
        return;
      } catch (StaleException lost) {
        // The definition was changed concurrently: check again.
      }
    }
  }

  private void release(ObjectKey key, ApiObject definition) {
    ApiObject released = definition.withoutFinalizer(DefinitionRules.CLEANUP);
    if (released.finalizers().isEmpty()) {
      store.delete(key, StorageWriter.revision(definition));
      reconsiderNames(key);
    } else {
      store.put(key, StorageWriter.revision(definition), released);
    }
  }

  /** Accepts names of other definitions that were in conflict with those of a removed one. */
  private void reconsiderNames(ObjectKey gone) {
    for (ApiObject other : store.snapshot().list(Kinds.CUSTOM_RESOURCE_DEFINITION)) {
      boolean refused = !Condition.holds(other.status(), "NamesAccepted") && !other.isDeleting();
      boolean sameGroup = gone.name().endsWith("." + other.spec().text("group"));
      if (refused && sameGroup) {
        try {
          ObjectKey key = other.key(Kinds.CUSTOM_RESOURCE_DEFINITION);
          store.put(key, StorageWriter.revision(other), rules.withStatus(other, time.now()));
        } catch (StaleException lost) {
          // The concurrent write evaluated the names too, and found these free.
        }
      }
    }
  }
}
