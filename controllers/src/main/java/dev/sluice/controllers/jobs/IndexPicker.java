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

/** The choice of the indexes of an Indexed Job that get pods next: the lowest that need one. */
final class IndexPicker {
  private IndexPicker() {}

  /** The lowest indexes that have neither finished nor an active pod, up to a limit. */
  static List<Long> pending(Job job, PodCounts counts, long limit) {
    Indexes ended = counts.indexes().completed().plus(counts.indexes().failed());
    Indexes blocked = job.replacesOnlyFailed() ? ended.plus(terminating(counts)) : ended;
    long completions = job.completions().orElse(0);
    var pending = new ArrayList<Long>();
    long index = 0;
    while (index < completions && pending.size() < limit) {
      long free = counts.pods().pastActive(blocked.pastRun(index));
      if (free == index) {
        pending.add(index);
        index++;
      } else {
        index = free;
      }
    }
    return pending;
  }

  private static Indexes terminating(PodCounts counts) {
    var indexes = new TreeSet<Long>();
    counts.pods().ended().stream()
        .filter(Pod::isTerminating)
        .forEach(pod -> new JobPod(pod).index().ifPresent(indexes::add));
    return Indexes.of(indexes);
  }

  /**
   * The plan where each index has its own backoff limit. Each index then has its own delay as well:
   * indexes that back off still count as missing pods, but do not delay the other indexes.
   */
  static PodPlan countedPods(Job job, PodCounts counts, long missing, Instant now) {
    var ready = new ArrayList<NewPod>();
    Duration shortest = Duration.ZERO;
    for (long index : pending(job, counts, missing)) {
      Optional<FailedPod> last = counts.indexes().lastFailure(index);
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
