/**
 * Keeps a cluster in order: removes what nobody owns or needs any more, binds claims to volumes,
 * and counts quotas and disruption budgets.
 */
@NullMarked
package dev.sluice.controllers.housekeeping;

import org.jspecify.annotations.NullMarked;
