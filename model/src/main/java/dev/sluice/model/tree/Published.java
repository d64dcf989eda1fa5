package dev.sluice.model.tree;

/**
 * An array that is published safely without a lock: a thread that sees this record also sees the
 * contents of the array, which a bare array does not guarantee.
 */
record Published<T>(T array) {}
