package dev.sluice.controllers.queueing.integration.pod;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.integration.JobIntegration;
import dev.sluice.controllers.queueing.integration.QueuedJob;
import dev.sluice.controllers.queueing.integration.SingleJob;
import dev.sluice.controllers.queueing.integration.WorkloadMaker;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;

/** Single pods and their workloads, for whoever brings pods into queues that run already. */
public final class ImportedPodWorkloads {
  private static final JobIntegration PODS = new PodIntegration();

  private final Cluster cluster;
  private final Configuration configuration;
  private final WorkloadMaker maker;

  public ImportedPodWorkloads(Cluster cluster, Configuration configuration) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.maker = new WorkloadMaker(cluster, configuration);
  }

  /** Whether a pod waits for its queue. */
  public static boolean isHeld(ApiObject pod) {
    return PodIntegration.isGated(new Pod(pod));
  }

  /** The pod marked as one of a queue's. */
  public static ApiObject queued(ApiObject pod, String localQueue) {
    return pod.withLabel(KueueNames.QUEUE_NAME, localQueue).withLabel(KueueNames.MANAGED, "true");
  }

  /**
   * The workload that a queued pod gets.
   *
   * @throws ApiException {@code NotFound} if the pod names a priority class that is not there
   */
  public Workload of(ApiObject pod) {
    return maker.make(job(pod));
  }

  /** Whether a workload asks for what a pod needs. */
  public boolean match(ApiObject pod, Workload workload) {
    return job(pod).matches(workload);
  }

  private QueuedJob job(ApiObject pod) {
    return new SingleJob(cluster, configuration, PODS, pod);
  }
}
