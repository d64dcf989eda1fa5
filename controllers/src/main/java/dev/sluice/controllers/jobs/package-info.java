/** Runs the pods of Jobs and counts how they end. */
@NullMarked
package dev.sluice.controllers.jobs;

import org.jspecify.annotations.NullMarked;
