package dev.sluice.runtime;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;

/**
 * Changes new objects of a kind before they are validated and stored. The embedded server calls it
 * directly; on a real cluster it stands behind a webhook.
 */
public interface AdmissionHook {

  ResourceKind kind();

  /** The object as it should be created. */
  ApiObject onCreate(ApiObject object);
}
