package dev.sluice.model.core;

import dev.sluice.model.ApiObject;

/** A named priority of pods. */
public record PriorityClass(ApiObject object) {

  public String name() {
    return object.name();
  }

  public int value() {
    return (int) object.tree().whole("value").orElse(0);
  }

  /** Whether it is the class of pods that name none. */
  public boolean globalDefault() {
    return object.tree().flag("globalDefault");
  }
}
