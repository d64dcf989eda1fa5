/**
 * The lifecycle of workloads from their creation to their end, apart from the admission decisions.
 */
@NullMarked
package dev.sluice.controllers.queueing.lifecycle;

import org.jspecify.annotations.NullMarked;
