package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.configuration.ManagerSettings;
import dev.sluice.controllers.queueing.CohortsAbove;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.LabelSelector;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.Workload.PriorityClassRef;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The controller that counts every change of a workload that the watch sees, whichever client made
 * it. It reconciles nothing, and counts only changes while it runs.
 */
final class WorkloadEventCounter implements Controller {
  /** The kinds that own workloads; the pods of a group own one together. */
  private static final List<ResourceKind> JOBS = List.of(Kinds.JOB, Kinds.POD);

  private final Cluster cluster;
  private final ManagerSettings.Metrics settings;
  private final GoneSeries gone;
  private final WorkloadMeters workloads;
  private final Meters.Tally admittedBelow;
  private final Meters.Timer creation;
  private final PodMeters pods;
  private final boolean watchesPods;
  private final Instant began;

  WorkloadEventCounter(
      Cluster cluster,
      Configuration configuration,
      ManagerSettings.Metrics settings,
      Meters meters) {
    this.cluster = cluster;
    this.settings = settings;
    this.gone = new GoneSeries(cluster, settings, meters);
    this.workloads = new WorkloadMeters(meters);
    this.admittedBelow =
        meters.counter(
            "cohort_subtree_admitted_workloads_total",
            "Workloads admitted in a cohort and all below it",
            "cohort",
            "priority_class");
    this.creation =
        meters.timer(
            "workload_creation_latency_seconds",
            "From the creation of a job to that of its workload",
            Meters.doubling(0.01, 11),
            "job_kind");
    this.pods = new PodMeters(cluster, configuration, meters);
    this.watchesPods =
        configuration.frameworks().contains("pod") || configuration.has(Gate.ELASTIC_JOBS);
    this.began = cluster.time().now();
  }

  @Override
  public String name() {
    return "queue-metrics";
  }

  @Override
  public List<Trigger> triggers() {
    // Before workloads, so that their priority classes are known when they are counted.
    var triggers = new ArrayList<>(gone.triggers());
    triggers.add(new Trigger(Kinds.WORKLOAD, this::count));
    if (watchesPods) {
      triggers.add(new Trigger(Kinds.POD, this::countPod));
    }
    return triggers;
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    return Outcome.DONE;
  }

  private List<ObjectKey> count(ObjectEvent event) {
    if (new Workload(event.object()).parent().isPresent()) {
      return List.of(); // the parent is counted
    }
    pods.workloadChanged(event);
    switch (event.type()) {
      case ADDED -> created(event.object());
      case MODIFIED ->
          event.before().ifPresent(before -> changed(new Workload(before), event.object()));
      case DELETED -> {}
    }
    return List.of();
  }

  private List<ObjectKey> countPod(ObjectEvent event) {
    pods.podChanged(event);
    return List.of();
  }

  private void created(ApiObject workload) {
    if (workload.created().filter(at -> !at.isBefore(began)).isEmpty()) {
      return;
    }
    workload.owners().stream()
        .flatMap(owner -> job(owner, workload.namespace()).stream())
        .max(Comparator.comparing(job -> job.created().orElse(Instant.MIN)))
        .filter(job -> job.generation() <= 1) // a changed job may get another workload later
        .ifPresent(job ->
            job.created()
                .ifPresent(
                    at -> creation.took(Duration.between(at, cluster.time().now()), job.kind())));
  }

  private Optional<ApiObject> job(OwnerReference owner, String namespace) {
    return JOBS.stream()
        .filter(kind -> owner.group().equals(kind.group()) && owner.kind().equals(kind.kind()))
        .findFirst()
        .flatMap(kind -> cluster.get(kind.key(namespace, owner.name())));
  }

  private void changed(Workload before, ApiObject object) {
    var now = new Workload(object);
    if (before.status().equals(now.status())) {
      return;
    }
    Where queues = queues(before, now);
    String priorityClass = priorityClass(now);
    workloads.changed(before, now, queues, priorityClass);
    if (WorkloadMeters.became(WorkloadStatus.ADMITTED, before, now)) {
      CohortsAbove.of(queues.clusterQueue(), cluster)
          .forEach(cohort -> admittedBelow.add(cohort, priorityClass));
    }
  }

  /** The priority class of a workload if it exists: users could name any number of others. */
  private String priorityClass(Workload workload) {
    return workload
        .priorityClass()
        .filter(reference -> cluster.get(key(reference)).isPresent())
        .map(PriorityClassRef::name)
        .orElse("");
  }

  private static ObjectKey key(PriorityClassRef reference) {
    ResourceKind workloadClass = Kinds.WORKLOAD_PRIORITY_CLASS;
    return (reference.group().equals(workloadClass.group()) ? workloadClass : Kinds.PRIORITY_CLASS)
        .key(reference.name());
  }

  private Where queues(Workload before, Workload now) {
    String namespace = now.object().namespace();
    Optional<ApiObject> localQueue = cluster.get(Kinds.LOCAL_QUEUE.key(namespace, now.queueName()));
    String clusterQueue =
        now.clusterQueue()
            .or(before::clusterQueue)
            .or(() -> localQueue.map(queue -> new LocalQueue(queue).clusterQueue()))
            .orElse("");
    boolean measured = localQueue.map(queue -> measures(settings, queue)).orElse(false);
    return new Where(clusterQueue, namespace, now.queueName(), measured);
  }

  /** Whether a LocalQueue has metrics of its own. */
  static boolean measures(ManagerSettings.Metrics settings, ApiObject localQueue) {
    return settings.localQueues()
        && new LabelSelector(settings.localQueueSelector()).matches(localQueue.labels());
  }
}
