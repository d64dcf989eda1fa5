package dev.sluice.controllers.queueing.integration;

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

  /** The workload with the priority of its job. */
  Workload with(Workload workload, QueuedJob job) {
    Priority priority = of(job);
    return priority.source().isPresent()
        ? workload.withPriority(priority.source().get(), priority.value())
        : workload.withoutPriorityClass().withPriority(priority.value());
  }

  /**
   * The workload with the priority of the class its job names now. A priority that was changed
   * while the class stayed the same is kept, and so is everything that must not change while quota
   * is reserved: whether there is a class, and of which kind.
   */
  Workload updated(Workload workload, QueuedJob job) {
    Optional<PriorityClassRef> before = workload.priorityClass();
    Optional<PriorityClassRef> now = of(job).source();
    boolean bothOurs = isOurs(before) && isOurs(now);
    return before.equals(now) || (workload.reserved() && !bothOurs)
        ? workload
        : with(workload, job);
  }

  private static boolean isOurs(Optional<PriorityClassRef> source) {
    return source
        .filter(one -> one.group().equals(Kinds.WORKLOAD_PRIORITY_CLASS.group()))
        .isPresent();
  }

  private Priority of(QueuedJob job) {
    String ours = job.object().label(KueueNames.PRIORITY_CLASS);
    if (!ours.isEmpty()) {
      return ofWorkloadClass(ours);
    }
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

  /** A class that is missing is waited for: queueing the job with another one would be a guess. */
  private Priority ofWorkloadClass(String name) {
    ObjectKey key = Kinds.WORKLOAD_PRIORITY_CLASS.key(name);
    ApiObject found = cluster.get(key).orElseThrow(() -> ApiFailure.notFound(key));
    return new Priority(
        Optional.of(PriorityClassRef.workloadPriorityClass(name)),
        new WorkloadPriorityClass(found).value());
  }

  private Optional<PriorityClass> globalDefault() {
    return cluster.list(Kinds.PRIORITY_CLASS).stream()
        .map(PriorityClass::new)
        .filter(PriorityClass::globalDefault)
        .findFirst();
  }
}
