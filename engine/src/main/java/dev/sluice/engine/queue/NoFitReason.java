package dev.sluice.engine.queue;

import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.model.Amounts;
import dev.sluice.model.core.node.Taint;

/**
 * The reason why a workload does not fit, as data from which conditions, events, logs and
 * explanations are rendered.
 */
public sealed interface NoFitReason {

  /** The reason as the message of a condition states it. */
  String text();

  /** Fits once others have released {@code missing}. */
  record QuotaInUse(FlavorResource of, long missing) implements NoFitReason {
    @Override
    public String text() {
      return "insufficient unused quota for %s in flavor %s, %s more needed"
          .formatted(of.resource(), of.flavor(), Amounts.quantity(of.resource(), missing));
    }
  }

  /**
   * Never fits: more than there is at all.
   *
   * @param earlier the requests of the workload's pod sets that were considered before
   */
  record QuotaTooSmall(FlavorResource of, long earlier, long requested, long capacity)
      implements NoFitReason {
    @Override
    public String text() {
      String resource = of.resource();
      return ("insufficient quota for %s in flavor %s, previously considered podsets requests (%s)"
              + " + current podset request (%s) > maximum capacity (%s)")
          .formatted(
              resource,
              of.flavor(),
              Amounts.quantity(resource, earlier),
              Amounts.quantity(resource, requested),
              Amounts.quantity(resource, capacity));
    }
  }

  /** No resource group of the queue covers the resource. */
  record NotCovered(String resource) implements NoFitReason {
    @Override
    public String text() {
      return "resource " + resource + " unavailable in ClusterQueue";
    }
  }

  /** The queue names a flavor that does not exist. */
  record FlavorNotFound(String flavor) implements NoFitReason {
    @Override
    public String text() {
      return "flavor " + flavor + " not found";
    }
  }

  /** The flavor's nodes have a taint that the pods do not tolerate. */
  record Untolerated(String flavor, Taint taint) implements NoFitReason {
    @Override
    public String text() {
      return "untolerated taint {%s %s %s} in flavor %s"
          .formatted(taint.key(), taint.value(), taint.effect(), flavor);
    }
  }

  /** The pods want nodes with other labels than the flavor's. */
  record OtherNodesWanted(String flavor) implements NoFitReason {
    @Override
    public String text() {
      return "flavor " + flavor + " doesn't match node affinity";
    }
  }

  /** The slice that it replaces has another flavor. */
  record OtherFlavorHeld(String flavor, String held) implements NoFitReason {
    @Override
    public String text() {
      return "could not assign %s flavor since the original workload is assigned: %s"
          .formatted(flavor, held);
    }
  }
}
