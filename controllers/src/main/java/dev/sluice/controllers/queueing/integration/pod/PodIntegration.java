package dev.sluice.controllers.queueing.integration.pod;

import dev.sluice.controllers.queueing.integration.JobIntegration;
import dev.sluice.controllers.queueing.integration.Stop;
import dev.sluice.controllers.queueing.integration.StopProgress;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.util.List;
import java.util.Optional;

/**
 * The integration of single pods. A scheduling gate holds a pod until its workload is admitted. A
 * pod that has started cannot be gated again, so it is stopped by deleting it.
 */
public final class PodIntegration implements JobIntegration {
  static final String TERMINATION_TARGET = "TerminationTarget";

  @Override
  public String framework() {
    return KueueNames.POD_FRAMEWORK;
  }

  @Override
  public ResourceKind kind() {
    return Kinds.POD;
  }

  /** Whether a pod has the label of managed pods. */
  static boolean isManaged(ApiObject pod) {
    return pod.label(KueueNames.MANAGED).equals("true");
  }

  public static boolean isGated(Pod pod) {
    return pod.spec().hasSchedulingGate(KueueNames.ADMISSION_GATE);
  }

  @Override
  public boolean suspended(ApiObject pod) {
    return isGated(new Pod(pod));
  }

  @Override
  public boolean active(ApiObject pod) {
    return !suspended(pod) && !new Pod(pod).isTerminal();
  }

  @Override
  public List<PodSet> podSets(ApiObject pod) {
    return List.of(PodSet.of(PodSet.MAIN, 1, PodTemplate.of(new Pod(pod))));
  }

  @Override
  public Optional<Finish> finish(ApiObject object) {
    var pod = new Pod(object);
    return pod.isTerminal()
        ? Optional.of(new Finish(pod.phase() == Pod.Phase.SUCCEEDED, pod.status().message()))
        : Optional.empty();
  }

  /** A gate can be removed, but not added to an existing pod. */
  @Override
  public ApiObject withSuspended(ApiObject pod, boolean suspended) {
    return suspended
        ? pod
        : PodTemplate.of(new Pod(pod))
            .withoutSchedulingGate(KueueNames.ADMISSION_GATE)
            .onto(new Pod(pod))
            .object();
  }

  @Override
  public ApiObject withPodSets(ApiObject pod, List<PodSet> podSets) {
    return podSets.getFirst().template().onto(new Pod(pod)).object();
  }

  @Override
  public boolean podsReady(ApiObject object) {
    var pod = new Pod(object);
    return pod.isReady() || pod.phase() == Pod.Phase.SUCCEEDED;
  }

  @Override
  public StopProgress stop(Cluster cluster, ApiObject object, Stop stop) {
    boolean unused = suspended(object) || new Pod(object).isTerminal();
    if (unused && stop.reason() != Stop.Reason.WORKLOAD_DELETED) {
      return StopProgress.DONE;
    }
    if (new Pod(object).isDeleting()) {
      return active(object) ? StopProgress.WAITING : StopProgress.DONE;
    }
    terminate(cluster, new Pod(object), stop);
    return StopProgress.BEGUN;
  }

  /** Whether a pod was deleted because its workload was evicted or lost its quota. */
  static boolean isStopped(Pod pod) {
    return pod.isDeleting() && pod.status().holds(TERMINATION_TARGET);
  }

  /** Sets the condition TerminationTarget on the pod, and deletes it. */
  static void terminate(Cluster cluster, Pod pod, Stop stop) {
    try {
      var why = new Condition(TERMINATION_TARGET, true, stop.word(), stop.message());
      var status = pod.status().withCondition(why, cluster.time().now());
      ApiObject updated = cluster.patchStatus(Kinds.POD, pod.object(), status.tree());
      cluster.delete(Kinds.POD, updated, Deletion.BACKGROUND);
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.NOT_FOUND)) {
        throw refused;
      }
    }
  }

  @Override
  public void removeFinalizers(Cluster cluster, ApiObject pod) {
    if (pod.hasFinalizer(KueueNames.MANAGED_FINALIZER)) {
      try {
        cluster.update(Kinds.POD, pod.withoutFinalizer(KueueNames.MANAGED_FINALIZER));
      } catch (ApiException refused) {
        if (!refused.is(ApiFailure.Reason.NOT_FOUND)) {
          throw refused;
        }
      }
    }
  }
}
