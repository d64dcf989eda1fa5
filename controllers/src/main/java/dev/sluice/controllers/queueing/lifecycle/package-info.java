/** The life of workloads from their creation to their end, apart from who is admitted when. */
@NullMarked
package dev.sluice.controllers.queueing.lifecycle;

import org.jspecify.annotations.NullMarked;
