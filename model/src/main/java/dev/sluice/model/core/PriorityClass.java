package dev.sluice.model.core;

import dev.sluice.model.ApiObject;

/** A named priority of pods. */
public record PriorityClass(ApiObject object) {

  public int value() {
    return (int) object.tree().whole("value").orElse(0);
  }

  /** Whether pods that name no class get this one. */
  public boolean isDefault() {
    return object.tree().flag("globalDefault");
  }
}
