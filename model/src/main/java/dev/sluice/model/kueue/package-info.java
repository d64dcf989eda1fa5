/** Typed views of Kueue's kinds: the only place that knows the names of their fields. */
@NullMarked
package dev.sluice.model.kueue;

import org.jspecify.annotations.NullMarked;
