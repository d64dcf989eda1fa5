package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import java.util.List;

/** A Cohort: ClusterQueues and cohorts that share their quota, with quota of its own. */
public record Cohort(ApiObject object) {

  public String name() {
    return object.name();
  }

  /** The parent cohort; empty for a root. */
  public String parent() {
    return object.spec().text("parentName");
  }

  public List<ResourceGroup> resourceGroups() {
    return ResourceGroup.of(object);
  }

  public Quantity fairWeight() {
    return FairSharing.weight(object);
  }
}
