package dev.sluice.runtime;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import java.util.List;

/**
 * Looks at writes of a kind before they are stored: first completes the object, then accepts or
 * refuses it. The embedded server calls it directly; on a real cluster it stands behind webhooks.
 *
 * <p>Objects come in the version of {@link #kind}, whatever version the client spoke. A refusal is
 * an {@link ApiException} that names the field, the value and the way out.
 *
 * <p>A hook may read the cluster, and sees it as it is at that time: what it read can change before
 * the write is stored. It is called with no lock held. It must not write, since the write it looks
 * at may still be refused, and it is asked again when a write lost a race.
 */
public interface AdmissionHook {

  ResourceKind kind();

  /** The object as it should be created. */
  default ApiObject onCreate(ApiObject object) {
    return object;
  }

  /** The object as it should be stored in place of {@code before}. */
  default ApiObject onUpdate(ApiObject before, ApiObject after) {
    return after;
  }

  /** Refuses an object that must not be created. */
  default void checkCreate(ApiObject object) {}

  /** Refuses a change that must not happen. */
  default void checkUpdate(ApiObject before, ApiObject after) {}

  /** Warnings for the writer of a valid object, which is stored all the same. */
  default List<String> warnings(ApiObject object) {
    return List.of();
  }

  /** Refuses a change of the status that must not happen. */
  default void checkStatus(ApiObject before, ApiObject after) {}
}
