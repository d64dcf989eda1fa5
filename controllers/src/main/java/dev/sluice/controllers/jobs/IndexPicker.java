package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.Indexes;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobPod;
import dev.sluice.model.core.pod.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Which indexes of an Indexed Job get pods next: the lowest that need one. */
final class IndexPicker {
  private IndexPicker() {}

  /** The first indexes that have neither ended nor a pod. */
  static List<Long> pending(Job job, PodCounts census, long most) {
    Indexes ended = census.indexes().completed().plus(census.indexes().failed());
    Indexes blocked = job.replacesOnlyFailed() ? ended.plus(terminating(census)) : ended;
    long completions = job.completions().orElse(0);
    var pending = new ArrayList<Long>();
    long index = 0;
    while (index < completions && pending.size() < most) {
      long free = census.pods().pastActive(blocked.pastRun(index));
      if (free == index) {
        pending.add(index);
        index++;
      } else {
        index = free;
      }
    }
    return pending;
  }

  private static Indexes terminating(PodCounts census) {
    var indexes = new TreeSet<Long>();
    census.pods().ended().stream()
        .filter(Pod::isTerminating)
        .forEach(pod -> new JobPod(pod).index().ifPresent(indexes::add));
    return Indexes.of(indexes);
  }

  /**
   * The work where each index has a limit of its own: then each has its own delay as well, and
   * those that must still wait keep their places without keeping the others from theirs.
   */
  static PodPlan countedPods(Job job, PodCounts census, long missing, Instant now) {
    var ready = new ArrayList<NewPod>();
    Duration shortest = Duration.ZERO;
    for (long index : pending(job, census, missing)) {
      Optional<FailedPod> last = census.indexes().lastFailure(index);
      Duration delay = last.map(pod -> delay(pod, now)).orElse(Duration.ZERO);
      if (!delay.isPositive()) {
        ready.add(NewPod.Counted.after(index, last));
      } else if (shortest.isZero() || delay.compareTo(shortest) < 0) {
        shortest = delay;
      }
    }
    if (!ready.isEmpty()) {
      return new PodPlan.Create(ready);
    }
    return shortest.isZero() ? new PodPlan.Nothing() : new PodPlan.Hold(shortest);
  }

  private static Duration delay(FailedPod failed, Instant now) {
    return new PodFailureBackoff(JobIndexes.attempts(failed) + 1, failed.pod().ended()).delay(now);
  }
}
