package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;

/** Where the jobs of a namespace queue up for a ClusterQueue. */
public record LocalQueue(ApiObject object) {
  /** The condition that says whether workloads can be submitted. */
  public static final String ACTIVE = "Active";

  /** The name of the queue that a namespace's jobs go to if they name none. */
  public static final String DEFAULT_NAME = "default";

  public String clusterQueue() {
    return object.spec().text("clusterQueue");
  }

  public StopPolicy stopPolicy() {
    return StopPolicy.of(object);
  }

  public Quantity fairWeight() {
    return FairSharing.weight(object);
  }
}
