/** Concurrent admission: a workload that is queued as several variants, one for each flavor. */
@NullMarked
package dev.sluice.engine.variants;

import org.jspecify.annotations.NullMarked;
