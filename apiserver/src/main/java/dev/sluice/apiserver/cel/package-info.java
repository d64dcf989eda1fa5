/**
 * The rules that custom resource definitions write in CEL: compiled once, bounded when they run.
 */
@NullMarked
package dev.sluice.apiserver.cel;

import org.jspecify.annotations.NullMarked;
