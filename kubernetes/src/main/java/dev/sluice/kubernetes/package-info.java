/** The port to a world on a real Kubernetes API server, and who of several managers leads there. */
@NullMarked
package dev.sluice.kubernetes;

import org.jspecify.annotations.NullMarked;
