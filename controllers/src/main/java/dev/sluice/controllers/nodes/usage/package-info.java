/**
 * The simulated resource usage of nodes, pods and containers, by KWOK's ResourceUsage and
 * ClusterResourceUsage, and where it is shown: on pages that KWOK's Metric describes, and in the
 * metrics API that {@code kubectl top} reads.
 */
@NullMarked
package dev.sluice.controllers.nodes.usage;

import org.jspecify.annotations.NullMarked;
