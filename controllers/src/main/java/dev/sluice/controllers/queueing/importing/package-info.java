/** Brings pods that run already into queues, as Kueue's importer does. */
@NullMarked
package dev.sluice.controllers.queueing.importing;

import org.jspecify.annotations.NullMarked;
