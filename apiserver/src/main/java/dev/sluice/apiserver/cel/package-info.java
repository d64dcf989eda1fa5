/**
 * The CEL validation rules of CustomResourceDefinitions: compiled once, with a bounded cost when
 * they run.
 */
@NullMarked
package dev.sluice.apiserver.cel;

import org.jspecify.annotations.NullMarked;
