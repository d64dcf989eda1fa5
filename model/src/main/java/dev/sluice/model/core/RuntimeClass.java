package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantities;

/** A way to run containers, such as in a virtual machine of their own. */
public record RuntimeClass(ApiObject object) {

  /** What it costs for each pod, beside the pod's containers. */
  public Quantities overhead() {
    return Quantities.of(object.tree().tree("overhead", "podFixed"));
  }
}
