/** The {@code Cluster} port on a real Kubernetes API server, and the election of a leader there. */
@NullMarked
package dev.sluice.kubernetes;

import org.jspecify.annotations.NullMarked;
