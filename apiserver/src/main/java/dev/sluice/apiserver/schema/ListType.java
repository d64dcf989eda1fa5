package dev.sluice.apiserver.schema;

/** The values of {@code x-kubernetes-list-type}. */
public enum ListType {
  /** The list is one value. */
  ATOMIC,
  /** Each element is unique and its own identity. */
  SET,
  /** Each element is identified by its keys. */
  MAP
}
