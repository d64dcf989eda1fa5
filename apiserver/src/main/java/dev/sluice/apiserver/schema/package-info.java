/** Schemas of kinds: pruning, defaulting and validation. */
@NullMarked
package dev.sluice.apiserver.schema;

import org.jspecify.annotations.NullMarked;
