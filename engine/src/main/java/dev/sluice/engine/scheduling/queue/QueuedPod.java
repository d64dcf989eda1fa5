package dev.sluice.engine.scheduling.queue;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.model.ObjectKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;

/**
 * A pod in the scheduling queue.
 *
 * @param since when it was queued, or failed last
 * @param sequence breaks ties between pods of the same time
 * @param first when it was first queued
 * @param attempts the number of scheduling attempts
 * @param rejections how often no node was feasible
 * @param errors the number of consecutive errors
 * @param failedAt the version of the cluster state at the last rejection
 * @param pauseEnds the second in which its backoff ends
 */
public record QueuedPod(
    PodFacts pod,
    Instant since,
    long sequence,
    Instant first,
    int attempts,
    int rejections,
    int errors,
    long failedAt,
    Instant pauseEnds) {

  /** The order of the active queue: higher priority first, then the longer wait. */
  static final Comparator<QueuedPod> ORDER = QueuedPod::compare;

  private static int compare(QueuedPod one, QueuedPod other) {
    int order = Long.compare(other.pod.priority(), one.pod.priority());
    order = order == 0 ? one.since.compareTo(other.since) : order;
    return order == 0 ? Long.compare(one.sequence, other.sequence) : order;
  }

  static QueuedPod of(PodFacts pod, Instant now, long sequence) {
    return new QueuedPod(pod, now, sequence, now, 0, 0, 0, -1, now);
  }

  public ObjectKey key() {
    return pod.key();
  }

  QueuedPod attempted() {
    return new QueuedPod(
        pod, since, sequence, first, attempts + 1, rejections, errors, failedAt, pauseEnds);
  }

  QueuedPod rejected(Instant now, long number, long version, PodBackoff backoff) {
    int times = rejections + 1;
    return new QueuedPod(
        pod, now, number, first, attempts, times, 0, version, backoff.end(now, times));
  }

  QueuedPod broken(Instant now, long number, PodBackoff backoff) {
    int times = errors + 1;
    return new QueuedPod(
        pod, now, number, first, attempts, rejections, times, failedAt, backoff.end(now, times));
  }

  /** The same, with the updated pod. */
  public QueuedPod with(PodFacts changed) {
    return new QueuedPod(
        changed, since, sequence, first, attempts, rejections, errors, failedAt, pauseEnds);
  }

  boolean pauses(Instant now) {
    return (rejections > 0 || errors > 0)
        && !pauseEnds.isBefore(now.truncatedTo(ChronoUnit.SECONDS));
  }
}
