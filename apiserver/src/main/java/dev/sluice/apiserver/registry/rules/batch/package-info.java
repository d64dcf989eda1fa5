/** The rules of Jobs and CronJobs: defaults, validation, updates. */
@NullMarked
package dev.sluice.apiserver.registry.rules.batch;

import org.jspecify.annotations.NullMarked;
