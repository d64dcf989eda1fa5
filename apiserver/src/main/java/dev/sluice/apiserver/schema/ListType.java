package dev.sluice.apiserver.schema;

/** How the elements of a list belong together. */
public enum ListType {
  /** The list is one value. */
  ATOMIC,
  /** Each element stands for itself, once. */
  SET,
  /** Each element is known by its keys. */
  MAP
}
