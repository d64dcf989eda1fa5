/** Typed views of pods and their parts. */
@NullMarked
package dev.sluice.model.core.pod;

import org.jspecify.annotations.NullMarked;
