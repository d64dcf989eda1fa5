package dev.sluice.engine.admission.pending;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;

/** Whether the namespace selector of a ClusterQueue matches the namespace of a workload. */
public interface NamespaceMatcher {
  boolean matches(QueueSpec queue, PendingWorkload workload);
}
