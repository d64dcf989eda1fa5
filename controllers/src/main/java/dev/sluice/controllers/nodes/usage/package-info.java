/**
 * What simulated nodes, pods and containers pretend to use, by KWOK's ResourceUsage and
 * ClusterResourceUsage, and how it is shown: on pages that KWOK's Metric describes, and as the
 * metrics API that {@code kubectl top} asks.
 */
@NullMarked
package dev.sluice.controllers.nodes.usage;

import org.jspecify.annotations.NullMarked;
