package dev.sluice.apiserver.apply;

import dev.sluice.model.ApiObject;
import java.time.Instant;

/**
 * The field manager of a write, and the writes whose field ownership is tracked. Tracking costs
 * time and makes objects about twice as large, so it happens only where a client may look at it.
 *
 * @param name the manager's name in {@code metadata.managedFields}
 */
public record FieldManager(String name, Accounts accounts) {

  /** The writes whose field ownership is tracked. */
  public enum Accounts {
    /**
     * All, also creations: a client that names its manager expects to find the name in the object.
     */
    ALWAYS,
    /** Writes to objects that have managed fields. */
    IF_KEPT,
    /** Writes to a part of an object in which other managers own fields. */
    IF_SHARED,
    /** None: the object to write has its managed fields already. */
    DONE
  }

  /** The controllers and servers of this process. */
  public static final FieldManager INTERNAL = new FieldManager("sluice", Accounts.IF_SHARED);

  /** The same manager, for a write whose ownership is tracked already. */
  public FieldManager done() {
    return new FieldManager(name, Accounts.DONE);
  }

  /** A new object with its managed fields. */
  public ApiObject created(ManagedPart part, ApiObject object, Instant now) {
    return switch (accounts) {
      case ALWAYS -> OwnershipTracking.created(part, ManagedFields.removedFrom(object), name, now);
      case IF_KEPT, IF_SHARED -> ManagedFields.removedFrom(object);
      case DONE -> object;
    };
  }

  /** An object after a write, with its managed fields. */
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
