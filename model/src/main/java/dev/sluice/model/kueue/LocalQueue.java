package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;

/** A LocalQueue, through which the jobs of a namespace are submitted to a ClusterQueue. */
public record LocalQueue(ApiObject object) {
  /** The condition that is True while workloads can be submitted. */
  public static final String ACTIVE = "Active";

  /** The name of the default queue of a namespace, for jobs that name none. */
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
