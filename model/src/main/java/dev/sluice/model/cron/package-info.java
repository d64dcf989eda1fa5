/** The schedules of CronJobs. */
@NullMarked
package dev.sluice.model.cron;

import org.jspecify.annotations.NullMarked;
