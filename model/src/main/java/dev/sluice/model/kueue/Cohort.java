package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import java.util.List;

/** Queues and cohorts that share their quota, with quota of its own beside. */
public record Cohort(ApiObject object) {

  public String name() {
    return object.name();
  }

  /** The cohort above it; empty for a root. */
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
