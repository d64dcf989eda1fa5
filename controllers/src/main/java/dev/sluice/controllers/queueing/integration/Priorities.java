package dev.sluice.controllers.queueing.integration;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.PriorityClass;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.Workload.PriorityClassRef;
import dev.sluice.model.kueue.WorkloadPriorityClass;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Event;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The priority of jobs: by the WorkloadPriorityClass they name, else by the PriorityClass that
 * their kind or their first pods name, else by the PriorityClass that is everyone's default, else
 * zero.
 */
final class Priorities {
  private final Cluster cluster;

  /** A priority and the class it comes from, if it comes from one. */
  private record Priority(Optional<PriorityClassRef> source, int value) {}

  Priorities(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * The workload with the priority of its job.
   *
   * @throws ApiException if the job names a class that is not there: it is waited for, because
   *     queueing the job with another one would be a guess
   */
  Workload with(Workload workload, QueuedJob job) {
    return with(workload, of(job).orElseThrow(() -> missing(className(job.object()))));
  }

  private static ApiException missing(String name) {
    return ApiFailure.notFound(Kinds.WORKLOAD_PRIORITY_CLASS.key(name));
  }

  private static Workload with(Workload workload, Priority priority) {
    return priority.source().isPresent()
        ? workload.withPriority(priority.source().get(), priority.value())
        : workload.withoutPriorityClass().withPriority(priority.value());
  }

  /** The workload with the priority of its job; if the class is gone, with the one it has. */
  Workload renewed(Workload workload, QueuedJob job) {
    return of(job).map(priority -> with(workload, priority)).orElse(workload);
  }

  /**
   * The workload with the priority of the class its job names now. A priority that was changed
   * while the class stayed the same is kept, and so is everything that must not change while quota
   * is reserved: whether there is a class, and of which kind. A class that is gone, or not there
   * yet, changes nothing: a job must not get stuck with its quota because of it.
   */
  Workload updated(Workload workload, QueuedJob job) {
    Optional<PriorityClassRef> before = workload.priorityClass();
    return of(job)
        .filter(now -> !before.equals(now.source()))
        .filter(now -> !workload.reserved() || (isOurs(before) && isOurs(now.source())))
        .map(now -> with(workload, now))
        .orElse(workload);
  }

  private static boolean isOurs(Optional<PriorityClassRef> source) {
    return source
        .filter(one -> one.group().equals(Kinds.WORKLOAD_PRIORITY_CLASS.group()))
        .isPresent();
  }

  /** The key of a class that is new; what becomes of it later reaches jobs' workloads directly. */
  static List<ObjectKey> onNewClass(Event event) {
    return event.type() == Event.Type.ADDED
        ? List.of(event.object().key(Kinds.WORKLOAD_PRIORITY_CLASS))
        : List.of();
  }

  /** The WorkloadPriorityClass that a job names, empty if none. */
  static String className(ApiObject job) {
    return job.label(KueueNames.PRIORITY_CLASS);
  }

  /** The priority of a job; empty if it names a WorkloadPriorityClass that is not there. */
  private Optional<Priority> of(QueuedJob job) {
    String ours = className(job.object());
    return ours.isEmpty() ? Optional.of(ofPods(job)) : ofWorkloadClass(ours);
  }

  private Priority ofPods(QueuedJob job) {
    List<PodSet> podSets = job.podSets();
    String ofPods =
        podSets.isEmpty() ? "" : podSets.getFirst().template().spec().priorityClassName();
    return Stream.of(job.priorityClass(), ofPods)
        .filter(name -> !name.isEmpty())
        .findFirst()
        .flatMap(name -> cluster.get(Kinds.PRIORITY_CLASS.key(name)))
        .map(PriorityClass::new)
        .or(this::globalDefault)
        .map(found ->
            new Priority(
                Optional.of(PriorityClassRef.podPriorityClass(found.name())), found.value()))
        .orElse(new Priority(Optional.empty(), 0));
  }

  private Optional<Priority> ofWorkloadClass(String name) {
    return cluster
        .get(Kinds.WORKLOAD_PRIORITY_CLASS.key(name))
        .map(found ->
            new Priority(
                Optional.of(PriorityClassRef.workloadPriorityClass(name)),
                new WorkloadPriorityClass(found).value()));
  }

  private Optional<PriorityClass> globalDefault() {
    return cluster.list(Kinds.PRIORITY_CLASS).stream()
        .map(PriorityClass::new)
        .filter(PriorityClass::globalDefault)
        .findFirst();
  }
}
