/** The embedded object store: one revision for everything, watches, compare-and-set, durability. */
@NullMarked
package dev.sluice.store;

import org.jspecify.annotations.NullMarked;
