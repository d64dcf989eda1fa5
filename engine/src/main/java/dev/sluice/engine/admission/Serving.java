package dev.sluice.engine.admission;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;

/** Whether a queue serves the namespace of a workload. */
interface Serving {
  boolean serves(QueueSpec queue, PendingWorkload workload);
}
