/** When something that repeats is due, as CronJobs write it. */
@NullMarked
package dev.sluice.model.cron;

import org.jspecify.annotations.NullMarked;
