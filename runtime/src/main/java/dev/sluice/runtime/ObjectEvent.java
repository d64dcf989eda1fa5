package dev.sluice.runtime;

import dev.sluice.model.ApiObject;
import java.util.Optional;

/**
 * One event of a watch.
 *
 * @param object the object as it is now; for a deletion as it was last
 * @param before the object in the previous event of this watch, if there was one
 */
public record ObjectEvent(Type type, ApiObject object, Optional<ApiObject> before) {

  /** What happened to the object. */
  public enum Type {
    ADDED,
    MODIFIED,
    DELETED
  }

  public static ObjectEvent added(ApiObject object) {
    return new ObjectEvent(Type.ADDED, object, Optional.empty());
  }

  public static ObjectEvent modified(ApiObject before, ApiObject object) {
    return new ObjectEvent(Type.MODIFIED, object, Optional.of(before));
  }

  public static ObjectEvent deleted(ApiObject object) {
    return new ObjectEvent(Type.DELETED, object, Optional.of(object));
  }

  /** Whether something changed that is not in the spec, such as the status. */
  public boolean keepsSpec() {
    return type == Type.MODIFIED
        && before.filter(old -> old.spec().equals(object.spec())).isPresent();
  }
}
