package dev.sluice.controllers.queueing;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Deletion;
import java.util.List;
import java.util.Optional;

/**
 * Keeps a job and its workload in step: a job with a queue name gets a workload, starts when that
 * is admitted, does not run while it is not, and finishes it when it ends. Jobs without a queue
 * name are left alone.
 */
public final class JobReconciler implements Controller {
  private final Cluster cluster;
  private final JobIntegration integration;
  private final EventRecorder events;

  public JobReconciler(Cluster cluster, JobIntegration integration) {
    this.cluster = cluster;
    this.integration = integration;
    this.events =
        new EventRecorder(
            cluster,
            integration.kind().group() + "/" + integration.kind().kind() + "-kueue-controller");
  }

  @Override
  public String name() {
    return "queued-" + integration.kind().plural();
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        Trigger.on(integration.kind()), Trigger.onOwned(Kinds.WORKLOAD, integration.kind()));
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    cluster
        .get(key)
        .filter(job -> !job.isDeleting())
        .filter(job -> !job.label(KueueNames.QUEUE_NAME).isEmpty())
        .ifPresent(this::reconcile);
    return Outcome.DONE;
  }

  private void reconcile(ApiObject job) {
    Optional<Workload> found = workload(job);
    Optional<JobIntegration.Finish> finish = integration.finish(job);
    if (found.isEmpty()) {
      if (finish.isEmpty() && !stopIfRunning(job)) {
        create(job);
      }
      return;
    }
    Workload workload = found.get();
    if (workload.object().isDeleting() || (finish.isEmpty() && outOfStep(job, workload))) {
      replace(job, workload);
    } else if (finish.isPresent()) {
      finish(workload, finish.get());
    } else {
      followAdmission(job, workload);
    }
  }

  private Optional<Workload> workload(ApiObject job) {
    return cluster
        .get(Kinds.WORKLOAD.key(job.namespace(), WorkloadNames.of(integration.kind(), job)))
        .filter(object -> object.isOwnedBy(job))
        .map(Workload::new);
  }

  private void create(ApiObject job) {
    Workload workload =
        Workload.of(
            job.namespace(),
            WorkloadNames.of(integration.kind(), job),
            job.label(KueueNames.QUEUE_NAME),
            integration.podSets(job));
    ApiObject object = workload.object().controlledBy(job).withLabel(KueueNames.JOB_UID, job.uid());
    cluster.create(Kinds.WORKLOAD, object);
    events.normal(job, "CreatedWorkload", "Created Workload: " + object.path());
  }

  private void followAdmission(ApiObject job, Workload workload) {
    Optional<Admission> admission = workload.admitted() ? workload.admission() : Optional.empty();
    if (admission.isEmpty()) {
      if (!stopIfRunning(job)) {
        follow(job, workload);
      }
    } else if (integration.suspended(job)) {
      List<PodSet> podSets = PodSetInjection.inject(cluster, workload, admission.get());
      cluster.update(
          integration.kind(),
          integration.withSuspended(integration.withPodSets(job, podSets), false));
      events.normal(job, "Started", "Admitted by clusterQueue " + admission.get().clusterQueue());
    }
  }

  /** A job may move to another queue, or change, as long as nothing was reserved for it. */
  private void follow(ApiObject job, Workload workload) {
    Workload followed =
        workload
            .withQueueName(job.label(KueueNames.QUEUE_NAME))
            .withPodSets(integration.podSets(job));
    if (!followed.equals(workload)) {
      cluster.update(Kinds.WORKLOAD, followed.object());
      events.normal(job, "UpdatedWorkload", "Updated Workload: " + workload.object().path());
    }
  }

  /** Whether the job grew or changed after quota was reserved for something else. */
  private boolean outOfStep(ApiObject job, Workload workload) {
    return workload.admission().isPresent()
        && !PodSetShape.same(integration.podSets(job), workload.podSets());
  }

  /** Gives the workload up, but only when no pod uses what it holds any more. */
  private void replace(ApiObject job, Workload workload) {
    if (stopIfRunning(job) || integration.active(job) || restoreIfInjected(job, workload)) {
      return;
    }
    ApiObject object = workload.object();
    if (!object.isDeleting()) {
      cluster.delete(Kinds.WORKLOAD, object, Deletion.BACKGROUND);
      events.normal(job, "DeletedWorkload", "Deleted not matching Workload: " + object.path());
    } else if (object.hasFinalizer(KueueNames.IN_USE)) {
      cluster.update(Kinds.WORKLOAD, object.withoutFinalizer(KueueNames.IN_USE));
    }
  }

  /** Returns whether the job had to be stopped. */
  private boolean stopIfRunning(ApiObject job) {
    if (integration.suspended(job)) {
      return false;
    }
    cluster.update(integration.kind(), integration.withSuspended(job, true));
    events.normal(job, "Stopped", "Not admitted by cluster queue");
    return true;
  }

  /**
   * Returns whether the templates still had what a start had put in; the workload has them as they
   * were.
   */
  private boolean restoreIfInjected(ApiObject job, Workload workload) {
    ApiObject restored = integration.withPodSets(job, workload.podSets());
    if (restored.equals(job)) {
      return false;
    }
    cluster.update(integration.kind(), restored);
    return true;
  }

  private void finish(Workload workload, JobIntegration.Finish finish) {
    ApiObject object = workload.object();
    if (!workload.finished()) {
      String reason = finish.succeeded() ? "Succeeded" : "Failed";
      Tree status =
          new Condition(WorkloadStatus.FINISHED, true, reason, finish.message())
              .in(object.status(), cluster.time().now());
      object = cluster.patchStatus(Kinds.WORKLOAD, object, status);
    }
    if (object.hasFinalizer(KueueNames.IN_USE)) {
      cluster.update(Kinds.WORKLOAD, object.withoutFinalizer(KueueNames.IN_USE));
    }
  }
}
