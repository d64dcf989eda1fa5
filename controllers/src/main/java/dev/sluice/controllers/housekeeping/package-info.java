/**
 * The controllers that keep a cluster in order: garbage collection, volume binding, quota status
 * and disruption budgets.
 */
@NullMarked
package dev.sluice.controllers.housekeeping;

import org.jspecify.annotations.NullMarked;
