/** The pending workloads of each ClusterQueue, with the indexes that find the next head. */
@NullMarked
package dev.sluice.engine.admission.pending;

import org.jspecify.annotations.NullMarked;
