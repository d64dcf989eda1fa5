/** The contract of the port to a world, as tests that every implementation passes. */
@NullMarked
package dev.sluice.testkit.contract;

import org.jspecify.annotations.NullMarked;
