/** One large Job from its creation to its end. */
@NullMarked
package dev.sluice.benchmarks.jobs;

import org.jspecify.annotations.NullMarked;
