/**
 * Kinds of jobs that a queue starts and stops, and what keeps each job in step with its workload.
 */
@NullMarked
package dev.sluice.controllers.queueing.integration;

import org.jspecify.annotations.NullMarked;
