package dev.sluice.store;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import java.util.Optional;

/** A write as it is asked for. Decided against a state, it becomes a change or it is stale. */
sealed interface Write {

  ObjectKey key();

  /** The revision at which the writer saw the object; 0 if it must not exist. */
  long expected();

  /** Creates or replaces an object. */
  record Put(ObjectKey key, long expected, ApiObject object) implements Write {
    public Put {
      if (expected < 0) {
        throw new IllegalArgumentException(
            "%s cannot be at revision %d; expect 0 for an object that does not exist"
                .formatted(key, expected));
      }
    }
  }

  /** Removes an object. */
  record Delete(ObjectKey key, long expected) implements Write {
    public Delete {
      if (expected <= 0) {
        throw new IllegalArgumentException(
            "cannot delete %s at revision %d; name the revision it was read at"
                .formatted(key, expected));
      }
    }
  }

  /**
   * The change that this write makes of a state.
   *
   * @throws StaleException if the object is not at the expected revision
   */
  default Change decide(State state) {
    Optional<ApiObject> before = state.get(key());
    long actual = before.map(State::revisionOf).orElse(0L);
    if (actual != expected()) {
      throw new StaleException(key(), expected(), actual);
    }
    long revision = state.revision() + 1;
    Optional<ApiObject> after =
        switch (this) {
          case Put(var key, var expected, ApiObject object) ->
              Optional.of(stamped(object, revision));
          case Delete ignored -> Optional.empty();
        };
    return new Change(revision, key(), before, after);
  }

  /** An object as it is stored at a revision. */
  static ApiObject stamped(ApiObject object, long revision) {
    return object.withMetadata("resourceVersion", Long.toString(revision));
  }
}
