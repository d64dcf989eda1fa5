package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;

/** A named priority of workloads, apart from that of their pods. */
public record WorkloadPriorityClass(ApiObject object) {

  public int value() {
    return (int) object.tree().whole("value").orElse(0);
  }
}
