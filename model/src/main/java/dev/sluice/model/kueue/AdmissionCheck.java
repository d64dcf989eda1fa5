package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;

/** A condition of admission that some controller decides. */
public record AdmissionCheck(ApiObject object) {

  /** Whether its controller is at work. */
  public boolean active() {
    return Condition.holds(object.status(), ClusterQueue.ACTIVE);
  }
}
