/** Questions about the future of a snapshot: what a change does, and when a job starts. */
@NullMarked
package dev.sluice.simulator.whatif;

import org.jspecify.annotations.NullMarked;
