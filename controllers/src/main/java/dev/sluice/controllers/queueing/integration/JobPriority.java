package dev.sluice.controllers.queueing.integration;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.PriorityClass;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.Workload.PriorityClassRef;
import dev.sluice.model.kueue.WorkloadPriorityClass;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Trigger;
import dev.sluice.runtime.ObjectEvent;
import java.util.List;
import java.util.Optional;

/**
 * The priority of jobs: that of the WorkloadPriorityClass they name, else of the PriorityClass of
 * their kind or their first pod set, else of the global default PriorityClass, else zero.
 */
public final class JobPriority {
  private static final List<ResourceKind> KINDS =
      List.of(Kinds.WORKLOAD_PRIORITY_CLASS, Kinds.PRIORITY_CLASS);

  private final Cluster cluster;

  /** A priority and its class, if it has one. */
  private record Priority(Optional<PriorityClassRef> source, int value) {}

  JobPriority(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * The workload with the priority of its job.
   *
   * @throws ApiException if the job names a class that does not exist; the job waits for it,
   *     because any other priority would be a guess
   */
  Workload with(Workload workload, QueuedJob job) {
    return with(workload, of(job).orElseThrow(() -> missing(job)));
  }

  private static ApiException missing(QueuedJob job) {
    return ApiFailure.notFound(named(job).orElseThrow());
  }

  private static Workload with(Workload workload, Priority priority) {
    return priority.source().isPresent()
        ? workload.withPriority(priority.source().get(), priority.value())
        : workload.withoutPriorityClass().withPriority(priority.value());
  }

  /** The workload with the priority of its job, or unchanged if the class is gone. */
  Workload renewed(Workload workload, QueuedJob job) {
    return of(job).map(priority -> with(workload, priority)).orElse(workload);
  }

  /**
   * The workload with the priority of the class that its job names now. A priority that was changed
   * while the class stayed the same is kept. While quota is reserved, whether there is a class and
   * of which kind must not change either. A class that does not exist changes nothing: a job must
   * not get stuck with its quota because of it.
   */
  Workload updated(Workload workload, QueuedJob job) {
    Optional<PriorityClassRef> before = workload.priorityClass();
    return of(job)
        .filter(now -> !before.equals(now.source()))
        .filter(now ->
            !workload.reserved()
                || (isWorkloadPriorityClass(before) && isWorkloadPriorityClass(now.source())))
        .map(now -> with(workload, now))
        .orElse(workload);
  }

  private static boolean isWorkloadPriorityClass(Optional<PriorityClassRef> source) {
    return source
        .filter(reference -> reference.group().equals(Kinds.WORKLOAD_PRIORITY_CLASS.group()))
        .isPresent();
  }

  /** Triggers on new classes, which jobs may wait for. */
  public static List<Trigger> onNewClasses() {
    return KINDS.stream().map(kind -> new Trigger(kind, event -> onNew(event, kind))).toList();
  }

  private static List<ObjectKey> onNew(ObjectEvent event, ResourceKind kind) {
    return event.type() == ObjectEvent.Type.ADDED ? List.of(event.object().key(kind)) : List.of();
  }

  public static boolean isClass(ObjectKey key) {
    return KINDS.contains(key.kind());
  }

  /** The priority class that a job names, if any. */
  static Optional<ObjectKey> named(QueuedJob job) {
    return named(job.object(), job.priorityClass().isEmpty() ? ofPods(job) : job.priorityClass());
  }

  /**
   * The priority class of a job, read from its object alone.
   *
   * @param priorityClass the PriorityClass of its kind or its pods, or empty
   */
  public static Optional<ObjectKey> named(ApiObject job, String priorityClass) {
    String workloadClass = job.label(KueueNames.PRIORITY_CLASS);
    if (!workloadClass.isEmpty()) {
      return Optional.of(Kinds.WORKLOAD_PRIORITY_CLASS.key(workloadClass));
    }
    return priorityClass.isEmpty()
        ? Optional.empty()
        : Optional.of(Kinds.PRIORITY_CLASS.key(priorityClass));
  }

  private static String ofPods(QueuedJob job) {
    List<PodSet> podSets = job.podSets();
    return podSets.isEmpty() ? "" : podSets.getFirst().template().spec().priorityClassName();
  }

  /** The priority of a job; empty if it names a class that does not exist. */
  private Optional<Priority> of(QueuedJob job) {
    Optional<ObjectKey> named = named(job);
    return named.isPresent()
        ? cluster.get(named.get()).map(found -> of(found, named.get()))
        : Optional.of(defaultPriority());
  }

  private static Priority of(ApiObject found, ObjectKey key) {
    return key.kind().equals(Kinds.WORKLOAD_PRIORITY_CLASS)
        ? new Priority(
            Optional.of(PriorityClassRef.workloadPriorityClass(key.name())),
            new WorkloadPriorityClass(found).value())
        : of(new PriorityClass(found));
  }

  private static Priority of(PriorityClass found) {
    return new Priority(
        Optional.of(PriorityClassRef.podPriorityClass(found.name())), found.value());
  }

  private Priority defaultPriority() {
    return globalDefault().map(JobPriority::of).orElse(new Priority(Optional.empty(), 0));
  }

  private Optional<PriorityClass> globalDefault() {
    return cluster.list(Kinds.PRIORITY_CLASS).stream()
        .map(PriorityClass::new)
        .filter(PriorityClass::globalDefault)
        .findFirst();
  }
}
