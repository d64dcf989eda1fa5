/** Admission: which workload gets quota next, which are preempted, and why others are pending. */
@NullMarked
package dev.sluice.engine.admission;

import org.jspecify.annotations.NullMarked;
