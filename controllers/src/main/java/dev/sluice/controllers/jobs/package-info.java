/** Runs the pods of Jobs and counts how they end; makes the Jobs of CronJobs; removes old Jobs. */
@NullMarked
package dev.sluice.controllers.jobs;

import org.jspecify.annotations.NullMarked;
