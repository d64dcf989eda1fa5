package dev.sluice.model.patch;

/** The merge strategy of one value, and the way to those inside it. */
public interface MergeRules {

  /** The rules of a field of this object. */
  MergeRules field(String name);

  /** The rules of the elements of this list. */
  MergeRules elements();

  /** Whether a patch replaces this object instead of merging with it. */
  boolean replacesObject();

  /** Whether a patch merges with this list instead of replacing it. */
  boolean mergesList();

  /** The field by which an element of a list that merges is known; empty for plain values. */
  String mergeKey();
}
