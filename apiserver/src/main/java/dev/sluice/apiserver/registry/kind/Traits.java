package dev.sluice.apiserver.registry.kind;

/**
 * How a kind is written, where kinds differ.
 *
 * @param counted whether the server counts the changes of the spec in {@code metadata.generation}
 * @param conditional whether a replacement must say which revision it replaces
 * @param createdByUpdate whether a replacement of what does not exist creates it
 * @param startsWithStatus whether a new object keeps the status it is written with
 */
public record Traits(
    boolean counted,
    boolean conditional,
    boolean createdByUpdate,
    boolean startsWithStatus,
    Dependents dependents) {

  /** What happens to an object's dependents when its deletion does not say. */
  public enum Dependents {
    /** They go after it. */
    COLLECTED,
    /** They stay. */
    ORPHANED,
    /** It can have none, and no deletion is told to wait for them. */
    NONE
  }

  static final Traits PLAIN = new Traits(false, false, false, false, Dependents.COLLECTED);
  static final Traits COUNTED = new Traits(true, false, false, false, Dependents.COLLECTED);
  static final Traits CUSTOM = new Traits(true, true, false, false, Dependents.COLLECTED);
  static final Traits JOB = new Traits(true, false, false, false, Dependents.ORPHANED);
  static final Traits NODE = new Traits(false, false, false, true, Dependents.COLLECTED);
  static final Traits LEASE = new Traits(false, true, true, false, Dependents.COLLECTED);
  static final Traits LIMIT_RANGE = new Traits(false, false, true, false, Dependents.COLLECTED);
  static final Traits EVENT = new Traits(false, false, true, false, Dependents.NONE);
}
