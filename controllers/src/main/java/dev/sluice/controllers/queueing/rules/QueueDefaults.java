package dev.sluice.controllers.queueing.rules;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.runtime.Cluster;

/** The default queue and priority class of jobs that name none. */
record QueueDefaults(Cluster cluster, Configuration configuration) {
  private static final String DEFAULT_PRIORITY_CLASS = "default";

  /** Whether a namespace has a default LocalQueue. */
  boolean existIn(String namespace) {
    return cluster.get(Kinds.LOCAL_QUEUE.key(namespace, LocalQueue.DEFAULT_NAME)).isPresent();
  }

  /** The job in the default LocalQueue of its namespace, if it names no queue and there is one. */
  ApiObject withQueue(ApiObject job) {
    return ManagedJobs.queueName(job).isEmpty() && existIn(job.namespace())
        ? job.withLabel(KueueNames.QUEUE_NAME, LocalQueue.DEFAULT_NAME)
        : job;
  }

  /** The job with the default priority class, if it names none and there is one. */
  ApiObject withPriority(ApiObject job) {
    boolean defaulted =
        configuration.has(Gate.WORKLOAD_PRIORITY_CLASS_DEFAULTING)
            && job.label(KueueNames.PRIORITY_CLASS).isEmpty()
            && cluster.get(Kinds.WORKLOAD_PRIORITY_CLASS.key(DEFAULT_PRIORITY_CLASS)).isPresent();
    return defaulted ? job.withLabel(KueueNames.PRIORITY_CLASS, DEFAULT_PRIORITY_CLASS) : job;
  }
}
