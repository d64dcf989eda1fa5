package dev.sluice.apiserver.registry.kind;

/**
 * The ways in which writes differ between kinds.
 *
 * @param counted whether {@code metadata.generation} counts the changes of the spec
 * @param conditional whether an update must have a resourceVersion
 * @param createdByUpdate whether an update of a missing object creates it
 * @param startsWithStatus whether a new object keeps its status
 */
public record Traits(
    boolean counted,
    boolean conditional,
    boolean createdByUpdate,
    boolean startsWithStatus,
    Dependents dependents) {

  /** The default treatment of dependents when an object is deleted. */
  public enum Dependents {
    /** They are garbage-collected. */
    COLLECTED,
    /** They are orphaned. */
    ORPHANED,
    /** The kind has no dependents, and no deletion waits for them. */
    NONE
  }

  static final Traits PLAIN = new Traits(false, false, false, false, Dependents.COLLECTED);
  static final Traits COUNTED = new Traits(true, false, false, false, Dependents.COLLECTED);
  static final Traits CUSTOM = new Traits(true, true, false, false, Dependents.COLLECTED);
  static final Traits JOB = new Traits(true, false, false, false, Dependents.ORPHANED);
  static final Traits NODE = new Traits(false, false, false, true, Dependents.COLLECTED);
  static final Traits LEASE = new Traits(false, true, true, false, Dependents.COLLECTED);
  static final Traits CREATED_BY_UPDATE =
      new Traits(false, false, true, false, Dependents.COLLECTED);
  static final Traits EVENT = new Traits(false, false, true, false, Dependents.NONE);
}
