/** The cluster as the scheduler sees it: nodes, pods and volumes. */
@NullMarked
package dev.sluice.engine.scheduling.cluster;

import org.jspecify.annotations.NullMarked;
