package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;

/** An AdmissionCheck, which a controller decides. */
public record AdmissionCheck(ApiObject object) {

  /** Whether it is Active. */
  public boolean active() {
    return Condition.holds(object.status(), ClusterQueue.ACTIVE);
  }
}
