package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;

/** A WorkloadPriorityClass: a named priority of workloads, independent of that of their pods. */
public record WorkloadPriorityClass(ApiObject object) {

  public int value() {
    return (int) object.tree().whole("value").orElse(0);
  }
}
