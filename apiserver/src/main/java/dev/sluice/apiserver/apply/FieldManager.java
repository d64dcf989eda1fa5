package dev.sluice.apiserver.apply;

import dev.sluice.model.ApiObject;
import java.time.Instant;

/**
 * Who writes, and how far their writes go into the account of owned fields. Keeping it costs time
 * and makes objects about twice as large, so it is kept only where somebody may look.
 *
 * @param name what {@code metadata.managedFields} calls them
 */
public record FieldManager(String name, Accounts accounts) {

  /** Which writes are accounted for. */
  public enum Accounts {
    /** All, also those that create: who gives a name wants to find it again. */
    ALWAYS,
    /** Those of objects whose fields have owners. */
    IF_KEPT,
    /** Those of a part of an object that somebody else owns fields in. */
    IF_SHARED,
    /** None, because the object that is to be written says it already. */
    DONE
  }

  /** The writers inside this program. */
  public static final FieldManager INTERNAL = new FieldManager("sluice", Accounts.IF_SHARED);

  /** The same manager, for a write that is accounted for already. */
  public FieldManager done() {
    return new FieldManager(name, Accounts.DONE);
  }

  /** A new object with its owners. */
  public ApiObject created(ManagedPart part, ApiObject object, Instant now) {
    return switch (accounts) {
      case ALWAYS -> OwnershipTracking.created(part, ManagedFields.removedFrom(object), name, now);
      case IF_KEPT, IF_SHARED -> ManagedFields.removedFrom(object);
      case DONE -> object;
    };
  }

  /** An object after a write, with its owners. */
  public ApiObject updated(ManagedPart part, ApiObject before, ApiObject after, Instant now) {
    return switch (accounts) {
      case ALWAYS, IF_KEPT -> OwnershipTracking.updated(part, before, after, name, now);
      case IF_SHARED -> {
        ApiObject known = ManagedFields.copied(before, after);
        yield OwnershipTracking.isClaimed(part, before)
            ? OwnershipTracking.updated(part, before, known, name, now)
            : known;
      }
      case DONE -> after;
    };
  }
}
