package dev.sluice.model.core.storage;

import dev.sluice.model.ApiObject;

/** A CSIDriver. */
public record CsiDriver(ApiObject object) {

  /** Whether it publishes storage capacity, which limits where volumes are provisioned. */
  public boolean tellsCapacity() {
    return object.spec().flag("storageCapacity");
  }
}
