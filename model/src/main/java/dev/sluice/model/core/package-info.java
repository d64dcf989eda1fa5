/** Typed views of the core kinds: thin, and the only place that knows the names of their fields. */
@NullMarked
package dev.sluice.model.core;

import org.jspecify.annotations.NullMarked;
