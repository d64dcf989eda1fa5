/** The import of running pods into queues, as Kueue's importer does it. */
@NullMarked
package dev.sluice.controllers.queueing.importing;

import org.jspecify.annotations.NullMarked;
