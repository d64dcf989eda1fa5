package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.NotifyingCluster;
import dev.sluice.controllers.ObjectIndex;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.OwnerReference;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The controller of the jobs of one kind and their workloads.
 *
 * <p>Its keys are jobs, but also workloads and priority classes: a job may wait for one that it
 * names, or be owned by the job of a workload.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class JobReconciler implements Controller {
  private final Cluster cluster;
  private final Configuration configuration;
  private final JobIntegration integration;
  private final ObjectIndex<String> workloads;
  private final ObjectIndex<String> jobs;
  private final GenericJobReconciler reconciler;
  private final OrphanedWorkloads orphans;

  public JobReconciler(Cluster world, Configuration configuration, JobIntegration integration) {
    this.configuration = configuration;
    this.integration = integration;
    this.workloads = JobTerms.workloadsByOwner(world);
    this.jobs = new ObjectIndex<>(world, integration.kind(), job -> JobTerms.of(read(job)));
    this.cluster = new NotifyingCluster(world, Kinds.WORKLOAD, workloads::changed);
    var events = new EventRecorder(cluster, integration.framework() + "-kueue-controller");
    this.reconciler = new GenericJobReconciler(cluster, configuration, events, workloads);
    this.orphans = new OrphanedWorkloads(cluster, configuration, workloads);
  }

  @Override
  public String name() {
    return "queued-" + integration.kind().plural();
  }

  @Override
  public List<Trigger> triggers() {
    var triggers = new ArrayList<Trigger>();
    triggers.add(new Trigger(integration.kind(), this::onJob));
    triggers.add(new Trigger(Kinds.WORKLOAD, this::onWorkload));
    triggers.addAll(JobPriority.onNewClasses());
    triggers.add(new Trigger(Kinds.NAMESPACE, this::onNamespace));
    return triggers;
  }

  private QueuedJob read(ApiObject job) {
    return new SingleJob(cluster, configuration, integration, job);
  }

  private List<ObjectKey> onNamespace(ObjectEvent event) {
    return ManagedJobs.mayChange(event)
        ? cluster.list(integration.kind(), event.object().name()).stream()
            .map(job -> job.key(integration.kind()))
            .toList()
        : List.of();
  }

  private List<ObjectKey> onJob(ObjectEvent event) {
    ObjectKey key = event.object().key(integration.kind());
    jobs.changed(key);
    return List.of(key);
  }

  private List<ObjectKey> onWorkload(ObjectEvent event) {
    ApiObject workload = event.object();
    ObjectKey key = workload.key(Kinds.WORKLOAD);
    workloads.changed(key);
    var concerned = new ArrayList<ObjectKey>(List.of(key));
    workload.owners().stream()
        .filter(this::isOfKind)
        .map(owner -> integration.kind().key(workload.namespace(), owner.name()))
        .forEach(concerned::add);
    return concerned;
  }

  private boolean isOfKind(OwnerReference owner) {
    return owner.kind().equals(integration.kind().kind())
        && owner.group().equals(integration.kind().group());
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    if (key.kind().equals(integration.kind())) {
      return reconcileJob(key);
    }
    List<ApiObject> waiting =
        JobPriority.isClass(key) ? jobs.objects(JobTerms.ofClass(key)) : concerned(key);
    waiting.stream()
        .map(job -> job.key(integration.kind()))
        .distinct()
        .sorted()
        .forEach(this::reconcileJob);
    return Outcome.DONE;
  }

  /** The jobs that name a workload as prebuilt, or are owned by the job of the workload. */
  private List<ApiObject> concerned(ObjectKey workload) {
    var concerned = new ArrayList<>(jobs.objects(JobTerms.prebuilt(workload)));
    cluster.get(workload).stream()
        .flatMap(object -> object.owners().stream().map(owner -> JobTerms.ownedBy(object, owner)))
        .forEach(term -> concerned.addAll(jobs.objects(term)));
    return concerned;
  }

  private Outcome reconcileJob(ObjectKey key) {
    Optional<ApiObject> job = cluster.get(key);
    orphans.release(key, job);
    return job.filter(object -> !object.isDeleting())
        .map(object -> reconciler.reconcile(read(object)))
        .orElse(Outcome.DONE);
  }
}
