package dev.sluice.apiserver.apply;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Timestamps;
import java.time.Instant;

/**
 * The tracking of field ownership through creates, updates and patches: the manager that changes a
 * field becomes its only owner.
 */
final class OwnershipTracking {
  private OwnershipTracking() {}

  /** A new object, all of whose fields belong to the manager that created it. */
  static ApiObject created(ManagedPart part, ApiObject object, String manager, Instant now) {
    return updated(part, part.blank(), object, ManagedFields.NONE, manager, now).writtenTo(object);
  }

  /** An object after a write, with updated managed fields if it has any. */
  static ApiObject updated(
      ManagedPart part, ApiObject before, ApiObject after, String manager, Instant now) {
    // A request can change managed fields only through the object itself, not through a
    // subresource.
    ManagedFields managed =
        part.subresource().isEmpty() ? ManagedFields.said(before, after) : ManagedFields.of(before);
    return managed.isEmpty()
        ? ManagedFields.removedFrom(after)
        : updated(part, before, after, managed, manager, now).writtenTo(after);
  }

  /** Whether any manager owns fields that are written through the same path. */
  static boolean isClaimed(ManagedPart part, ApiObject object) {
    return object.tree().trees("metadata", "managedFields").stream()
        .anyMatch(entry -> entry.text("subresource").equals(part.subresource()));
  }

  static ManagedFields updated(
      ManagedPart part,
      ApiObject before,
      ApiObject after,
      ManagedFields managed,
      String manager,
      Instant now) {
    var change = new FieldChange(part, before, after);
    ManagedFields released = change.leftTo(managed);
    FieldSet taken = part.ownable(change.set());
    if (taken.isEmpty()) {
      return released.capped();
    }
    var claim =
        new ManagedFieldsEntry(
            manager,
            Operation.UPDATE,
            part.kind().apiVersion(),
            part.subresource(),
            Timestamps.format(now),
            taken);
    FieldSet kept = released.find(claim).map(ManagedFieldsEntry::fields).orElse(FieldSet.EMPTY);
    return released.with(claim.with(taken.union(kept))).capped();
  }
}
