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

/** The workloads of single pods, for the import of running pods. */
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

  /** Whether a pod has Kueue's scheduling gate. */
  public static boolean isHeld(ApiObject pod) {
    return PodIntegration.isGated(new Pod(pod));
  }

  /** The pod with the labels of a queued pod. */
  public static ApiObject queued(ApiObject pod, String localQueue) {
    return pod.withLabel(KueueNames.QUEUE_NAME, localQueue).withLabel(KueueNames.MANAGED, "true");
  }

  /**
   * The workload that a queued pod gets.
   *
   * @throws ApiException {@code NotFound} if the pod names a priority class that does not exist
   */
  public Workload of(ApiObject pod) {
    return maker.make(job(pod));
  }

  /** Whether a workload matches a pod. */
  public boolean match(ApiObject pod, Workload workload) {
    return job(pod).matches(workload);
  }

  private QueuedJob job(ApiObject pod) {
    return new SingleJob(cluster, configuration, PODS, pod);
  }
}
