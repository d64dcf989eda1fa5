package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.registry.kind.RuledKind;
import dev.sluice.apiserver.registry.kind.Traits;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Timestamps;
import dev.sluice.runtime.Deletion.Propagation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The effect of a deletion on an object.
 *
 * @param marked the object, marked for deletion
 * @param removes whether it can be removed now
 */
record DeletionPlan(ApiObject marked, boolean removes) {
  private static final String GRACE = "deletionGracePeriodSeconds";
  private static final String TIMESTAMP = "deletionTimestamp";

  static DeletionPlan of(RuledKind ruled, ApiObject object, DeleteRequest request, Instant now) {
    long grace = ruled.rules().graceSeconds(object, request.graceSeconds());
    List<String> finalizers = finalizers(ruled.traits().dependents(), object, request);
    ApiObject held =
        finalizers.isEmpty()
            ? object.withoutMetadata("finalizers")
            : object.withMetadata("finalizers", finalizers);
    ApiObject marked =
        object.isDeleting()
            ? hastened(held, grace, now)
            : ruled.rules().onDelete(marked(held, grace, now), now);
    boolean removes =
        ruled.rules().holders(marked).isEmpty()
            && marked.tree().whole("metadata", GRACE).orElse(0) == 0;
    return new DeletionPlan(marked, removes);
  }

  private static ApiObject marked(ApiObject object, long grace, Instant now) {
    ApiObject marked =
        object
            .withMetadata(TIMESTAMP, Timestamps.format(now.plusSeconds(grace)))
            .withMetadata(GRACE, grace);
    long generation = object.generation();
    return generation > 0 ? marked.withMetadata("generation", generation + 1) : marked;
  }

  /** A second deletion can only shorten the grace period, and never ends it before now. */
  private static ApiObject hastened(ApiObject object, long grace, Instant now) {
    long before = object.tree().whole("metadata", GRACE).orElse(0);
    if (grace >= before) {
      return object;
    }
    Instant end = object.deleted().orElse(now).minusSeconds(before - grace);
    Instant later = end.isBefore(now) ? now : end;
    return object.withMetadata(TIMESTAMP, Timestamps.format(later)).withMetadata(GRACE, grace);
  }

  /**
   * The finalizers of the propagation policy: that of the request, else that of an earlier
   * deletion, else the default.
   */
  private static List<String> finalizers(
      Traits.Dependents dependents, ApiObject object, DeleteRequest request) {
    var kept = new ArrayList<>(object.finalizers());
    boolean orphaned = kept.remove(MetadataValidation.ORPHAN);
    boolean foreground = kept.remove(MetadataValidation.FOREGROUND);
    if (dependents == Traits.Dependents.NONE) {
      return kept;
    }
    // An object that is being deleted has its policy already: the default is for the first
    // deletion.
    boolean unsaid = !object.isDeleting() && dependents == Traits.Dependents.ORPHANED;
    Propagation implied =
        orphaned
            ? Propagation.ORPHAN
            : foreground
                ? Propagation.FOREGROUND
                : unsaid ? Propagation.ORPHAN : Propagation.BACKGROUND;
    switch (request.propagation().orElse(implied)) {
      case ORPHAN -> kept.add(MetadataValidation.ORPHAN);
      case FOREGROUND -> kept.add(MetadataValidation.FOREGROUND);
      case BACKGROUND -> {}
    }
    boolean same =
        kept.size() == object.finalizers().size() && object.finalizers().containsAll(kept);
    return same ? object.finalizers() : kept;
  }
}
