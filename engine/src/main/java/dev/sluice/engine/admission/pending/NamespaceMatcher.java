package dev.sluice.engine.admission.pending;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;

/** Whether a queue serves the namespace of a workload. */
public interface NamespaceMatcher {
  boolean serves(QueueSpec queue, PendingWorkload workload);
}
