/** The status of ClusterQueues, LocalQueues and Cohorts. */
@NullMarked
package dev.sluice.controllers.queueing.status;

import org.jspecify.annotations.NullMarked;
