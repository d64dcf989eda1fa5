/** How past usage of LocalQueues is remembered, forgotten and compared. */
@NullMarked
package dev.sluice.engine.fairness;

import org.jspecify.annotations.NullMarked;
