/** JobSets: Jobs that start, fail and finish together. */
@NullMarked
package dev.sluice.controllers.jobsets;

import org.jspecify.annotations.NullMarked;
