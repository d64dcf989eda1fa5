package dev.sluice.controllers.jobs;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The writer of the pods of Jobs, which creates, changes and deletes many at a time.
 *
 * <p>Threads: belongs to the controller; the writes of one call run in parallel.
 */
final class PodWriter {
  private static final int NAME_ATTEMPTS = 8;
  private static final int CHANGE_ATTEMPTS = 3;

  private final Cluster cluster;
  private final EventRecorder events;

  PodWriter(Cluster cluster, EventRecorder events) {
    this.cluster = cluster;
    this.events = events;
  }

  /** How many pods were created, and why others were refused. */
  record Creation(int made, List<ApiException> refusals) {
    static final Creation NONE = new Creation(0, List.of());

    Creation {
      refusals = List.copyOf(refusals);
    }
  }

  /**
   * Creates pods until one is refused. It starts slowly, with one pod, then two, then four, so that
   * a server that refuses all of them is not asked a hundred times.
   *
   * @param welcome whether the pods before were all accepted; then it need not start slowly
   */
  Creation create(Job job, List<NewPod> wanted, boolean welcome) {
    var maker = new PodMaker(job);
    var refusals = Collections.synchronizedList(new ArrayList<ApiException>());
    int done = 0;
    int first = welcome ? wanted.size() : 1;
    for (int batch = first; done < wanted.size() && refusals.isEmpty(); batch *= 2) {
      int end = Math.min(done + batch, wanted.size());
      List<ApiObject> made =
          wanted.subList(done, end).stream().map(pod -> maker.make(pod, cluster.random())).toList();
      cluster.together(
          made.stream()
              .<Runnable>map(pod -> () -> createOne(job, pod).ifPresent(refusals::add))
              .toList());
      done = end;
    }
    return new Creation(done - refusals.size(), refusals);
  }

  private Optional<ApiException> createOne(Job job, ApiObject wanted) {
    try {
      ApiObject pod = createUnderFreeName(wanted);
      events.normal(job.object(), "SuccessfulCreate", "Created pod: " + pod.name());
      return Optional.empty();
    } catch (ApiException refused) {
      if (!isNamespaceTerminating(refused)) {
        events.warning(job.object(), "FailedCreate", "Error creating: " + refused.getMessage());
      }
      return Optional.of(refused);
    }
  }

  private ApiObject createUnderFreeName(ApiObject wanted) {
    ApiObject pod = wanted;
    for (int attempt = 1; ; attempt++) {
      try {
        return cluster.create(Kinds.POD, pod);
      } catch (ApiException refused) {
        if (!refused.is(ApiFailure.Reason.ALREADY_EXISTS) || attempt == NAME_ATTEMPTS) {
          throw refused;
        }
      }
      pod = PodMaker.renamed(pod, cluster.random());
    }
  }

  private static boolean isNamespaceTerminating(ApiException refused) {
    return refused.failure().causes().stream()
        .anyMatch(cause -> cause.reason().equals("NamespaceTerminating"));
  }

  /** Deletes active pods that are not to be counted: their finalizers are removed first. */
  void remove(Job job, List<Pod> unwanted) {
    together(
        unwanted,
        pod -> {
          if (change(pod, Pod::isActive, PodWriter::released)) {
            delete(job, pod);
          }
        });
  }

  /** Deletes active pods that are still to be counted. */
  void finish(Job job, List<Pod> ended) {
    together(ended, pod -> delete(job, pod));
  }

  private void together(List<Pod> some, Consumer<Pod> write) {
    for (int from = 0; from < some.size(); from += PodPlan.MAX_AT_ONCE) {
      int end = Math.min(from + PodPlan.MAX_AT_ONCE, some.size());
      cluster.together(
          some.subList(from, end).stream().<Runnable>map(pod -> () -> write.accept(pod)).toList());
    }
  }

  private void delete(Job job, Pod pod) {
    try {
      cluster.delete(Kinds.POD, pod.object(), Deletion.BACKGROUND);
    } catch (ApiException refused) {
      if (isGone(refused)) {
        return;
      }
      events.warning(job.object(), "FailedDelete", "Error deleting: " + refused.getMessage());
      throw refused;
    }
    events.normal(job.object(), "SuccessfulDelete", "Deleted pod: " + pod.name());
  }

  /** Removes the finalizer from pods; returns the uids of those that have none any more. */
  SortedSet<String> release(List<Pod> some) {
    var released = Collections.synchronizedSortedSet(new TreeSet<String>());
    together(
        some,
        pod -> {
          if (change(pod, _ -> true, PodWriter::released)) {
            released.add(pod.uid());
          }
        });
    return released;
  }

  /** Removes the owner reference and the finalizer of a pod that the Job no longer selects. */
  void disown(Job job, Pod pod) {
    change(pod, _ -> true, object -> released(object).withoutOwner(job.object()));
  }

  /** Adopts a pod that has no controller. */
  void adopt(Job job, Pod pod) {
    change(
        pod,
        now -> now.object().controller().isEmpty() && !now.isDeleting(),
        object ->
            object.withFinalizer(Job.TRACKING).withOwner(OwnerReference.controller(job.object())));
  }

  private static ApiObject released(ApiObject pod) {
    return pod.withoutFinalizer(Job.TRACKING);
  }

  /** Changes the current version of a pod; returns whether it has the change, or is gone. */
  private boolean change(Pod pod, Predicate<Pod> allowed, UnaryOperator<ApiObject> edit) {
    Optional<Pod> seen = Optional.of(pod);
    for (int attempt = 1; attempt <= CHANGE_ATTEMPTS && seen.isPresent(); attempt++) {
      ApiObject edited = edit.apply(seen.get().object());
      if (edited.equals(seen.get().object()) || isWritten(edited)) {
        return true;
      }
      seen = cluster.get(pod.key()).map(Pod::new).filter(now -> now.uid().equals(pod.uid()));
      if (seen.isPresent() && !allowed.test(seen.get())) {
        return false;
      }
    }
    return seen.isEmpty();
  }

  /**
   * Writes a pod; returns false if another writer changed it in between, true if it is written or
   * gone.
   */
  private boolean isWritten(ApiObject pod) {
    try {
      cluster.update(Kinds.POD, pod);
      return true;
    } catch (ApiException refused) {
      if (refused.is(ApiFailure.Reason.NOT_FOUND)) {
        return true;
      }
      if (refused.is(ApiFailure.Reason.CONFLICT)) {
        return false;
      }
      throw refused;
    }
  }

  private static boolean isGone(ApiException refused) {
    return refused.is(ApiFailure.Reason.NOT_FOUND) || refused.is(ApiFailure.Reason.CONFLICT);
  }
}
