package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Tree;

/** The field {@code spec.fairSharing} of ClusterQueues, LocalQueues and Cohorts. */
final class FairSharing {
  private FairSharing() {}

  static Quantity weight(ApiObject owner) {
    Tree sharing = owner.spec().tree("fairSharing");
    return sharing.has("weight") ? Quantity.of(sharing.at("weight")) : Quantity.of(1);
  }
}
