/** The nodes, pods and volumes as the scheduler sees them. */
@NullMarked
package dev.sluice.engine.scheduling.cluster;

import org.jspecify.annotations.NullMarked;
