/** JobSets: Jobs that start, fail and finish together, in the API of the JobSet project. */
@NullMarked
package dev.sluice.model.jobset;

import org.jspecify.annotations.NullMarked;
