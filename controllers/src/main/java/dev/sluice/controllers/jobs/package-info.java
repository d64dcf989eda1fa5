/** The Job controller, the CronJob controller and the TTL controller of finished Jobs. */
@NullMarked
package dev.sluice.controllers.jobs;

import org.jspecify.annotations.NullMarked;
