/**
 * The integrations of the kinds of jobs that can be queued, and the reconciliation of jobs with
 * their workloads.
 */
@NullMarked
package dev.sluice.controllers.queueing.integration;

import org.jspecify.annotations.NullMarked;
