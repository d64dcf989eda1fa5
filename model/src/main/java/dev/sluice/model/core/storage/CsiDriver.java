package dev.sluice.model.core.storage;

import dev.sluice.model.ApiObject;

/** What makes volumes and attaches them to nodes. */
public record CsiDriver(ApiObject object) {

  /** Whether it says where how much storage is left, so that no volume is made elsewhere. */
  public boolean tellsCapacity() {
    return object.spec().flag("storageCapacity");
  }
}
