package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobPod;
import dev.sluice.model.core.pod.Pod;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/**
 * The pods of one Job that are not both succeeded and counted, with counters that are updated pod
 * by pod: a Job of a hundred thousand pods is synced hundreds of times, and most pods have not
 * changed in between.
 *
 * <p>Threads: belongs to the controller.
 */
final class JobPods {
  /** The index of a pod that has none. */
  private static final long NO_INDEX = -1;

  private final TreeMap<String, Pod> active = new TreeMap<>();
  private final TreeMap<String, Pod> ended = new TreeMap<>();
  private final TreeMap<String, Pod> counted = new TreeMap<>();
  private final TreeMap<Long, Integer> activeByIndex = new TreeMap<>();
  private final TreeMap<String, Pod> unchecked = new TreeMap<>();
  private long ready;
  private long terminating;
  private long restarts;
  private long doubles;

  /** Whether the Job still needs a pod: all but those that have succeeded and are counted. */
  static boolean matter(Pod pod) {
    return !isCounted(pod) || pod.phase() == Pod.Phase.FAILED;
  }

  private static boolean isCounted(Pod pod) {
    return pod.isTerminal() && !pod.object().hasFinalizer(Job.TRACKING);
  }

  void put(Pod pod) {
    remove(pod.name());
    if (isCounted(pod)) {
      counted.put(pod.name(), pod);
      return;
    }
    (pod.isActive() ? active : ended).put(pod.name(), pod);
    unchecked.put(pod.name(), pod);
    tally(pod, 1);
  }

  void remove(String name) {
    counted.remove(name);
    Pod before = active.remove(name);
    before = before == null ? ended.remove(name) : before;
    if (before != null) {
      tally(before, -1);
      unchecked.remove(name);
    }
  }

  private void tally(Pod pod, int sign) {
    terminating += pod.isTerminating() ? sign : 0;
    restarts += pod.isTerminal() ? 0 : sign * pod.status().restarts();
    if (!pod.isActive()) {
      return;
    }
    ready += pod.isReady() ? sign : 0;
    long index = new JobPod(pod).index().orElse(NO_INDEX);
    int count = activeByIndex.merge(index, sign, Integer::sum);
    if (count == 0) {
      activeByIndex.remove(index);
    }
    doubles += count > (sign > 0 ? 1 : 0) ? sign : 0;
  }

  boolean isEmpty() {
    return active.isEmpty() && ended.isEmpty() && counted.isEmpty();
  }

  /** The pods that are neither finished nor terminating, by name. */
  Collection<Pod> active() {
    return Collections.unmodifiableCollection(active.values());
  }

  /** The pods that are finished and not yet counted, or terminating, by name. */
  Collection<Pod> ended() {
    return Collections.unmodifiableCollection(ended.values());
  }

  /**
   * The failed pods that are counted but still fail the Job, by name: a condition that a rule of
   * the Job matches may be added later. Pods that do not match are not checked again until they
   * change.
   */
  List<FailedPod> countedButFatal(Job job) {
    List<FailedPod> fatal =
        counted.values().stream()
            .map(pod -> FailedPod.of(job, pod))
            .filter(FailedPod::failsJob)
            .toList();
    counted.clear();
    fatal.forEach(failed -> counted.put(failed.pod().name(), failed.pod()));
    return fatal;
  }

  long ready() {
    return ready;
  }

  long terminating() {
    return terminating;
  }

  /** The container restarts of the pods that are not finished, including terminating ones. */
  long restarts() {
    return restarts;
  }

  boolean isActive(long index) {
    return activeByIndex.containsKey(index);
  }

  /** The first index from this one on that has no active pod. */
  long pastActive(long index) {
    long past = index;
    for (long taken : activeByIndex.tailMap(index).keySet()) {
      if (taken != past) {
        return past;
      }
      past++;
    }
    return past;
  }

  /** Whether active pods share an index, or have none below the completions of the Job. */
  boolean hasMisplaced(long completions) {
    return doubles > 0
        || activeByIndex.containsKey(NO_INDEX)
        || !activeByIndex.tailMap(completions).isEmpty();
  }

  /** The pods that were added or changed since the last check. */
  List<Pod> unchecked() {
    return List.copyOf(unchecked.values());
  }

  void checked() {
    unchecked.clear();
  }
}
