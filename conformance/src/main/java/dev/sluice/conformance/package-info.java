/** A real Kubernetes and its kubectl on this machine, to compare with and to test against. */
@NullMarked
package dev.sluice.conformance;

import org.jspecify.annotations.NullMarked;
