/** The port to a world on a real Kubernetes API server. */
@NullMarked
package dev.sluice.kubernetes;

import org.jspecify.annotations.NullMarked;
