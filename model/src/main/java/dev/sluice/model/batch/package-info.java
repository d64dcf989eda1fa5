/**
 * Typed views of the batch kinds: thin, and the only place that knows the names of their fields.
 */
@NullMarked
package dev.sluice.model.batch;

import org.jspecify.annotations.NullMarked;
