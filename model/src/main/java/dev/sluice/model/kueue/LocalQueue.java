package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;

/** Where the jobs of a namespace queue up for a ClusterQueue. */
public record LocalQueue(ApiObject object) {
  /** The condition that says whether workloads can be submitted. */
  public static final String ACTIVE = "Active";

  public String clusterQueue() {
    return object.spec().text("clusterQueue");
  }
}
