package dev.sluice.model.tree;

/**
 * An array that threads hand to each other without a lock: whoever sees this sees what is in it,
 * which a bare array does not promise.
 */
record Published<T>(T array) {}
