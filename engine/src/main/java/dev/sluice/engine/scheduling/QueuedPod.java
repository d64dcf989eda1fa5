package dev.sluice.engine.scheduling;

import dev.sluice.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;

/**
 * A pod that waits for a node.
 *
 * @param since when it came, or failed last
 * @param sequence tells apart what came at the same moment
 * @param first when it came
 * @param attempts how often a node was sought for it
 * @param rejections how often there was none
 * @param errors how often in a row something else went wrong
 * @param failedAt the version of the cluster in which there was none
 */
public record QueuedPod(
    PodFacts pod,
    Instant since,
    long sequence,
    Instant first,
    int attempts,
    int rejections,
    int errors,
    long failedAt) {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LAST_PAUSE = Duration.ofSeconds(10);

  /** Who goes first: the more important, then whoever waits longer. */
  static final Comparator<QueuedPod> ORDER =
      Comparator.comparingLong((QueuedPod queued) -> -queued.pod().priority())
          .thenComparing(QueuedPod::since)
          .thenComparingLong(QueuedPod::sequence);

  static QueuedPod of(PodFacts pod, Instant now, long sequence) {
    return new QueuedPod(pod, now, sequence, now, 0, 0, 0, -1);
  }

  public ObjectKey key() {
    return pod.key();
  }

  QueuedPod attempted() {
    return new QueuedPod(pod, since, sequence, first, attempts + 1, rejections, errors, failedAt);
  }

  QueuedPod rejected(Instant now, long number, long version) {
    return new QueuedPod(pod, now, number, first, attempts, rejections + 1, 0, version);
  }

  QueuedPod broken(Instant now, long number) {
    return new QueuedPod(pod, now, number, first, attempts, rejections, errors + 1, failedAt);
  }

  /** The same, with what is known of the pod now. */
  public QueuedPod with(PodFacts changed) {
    return new QueuedPod(changed, since, sequence, first, attempts, rejections, errors, failedAt);
  }

  /** The second in which its pause ends: 1, 2, 4, 8 and then always 10 s after the failure. */
  Instant pauseEnds() {
    int failures = errors > 0 ? errors : rejections;
    if (failures == 0) {
      return since;
    }
    Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, 10));
    Duration pause = doubled.compareTo(LAST_PAUSE) < 0 ? doubled : LAST_PAUSE;
    return since.plus(pause).truncatedTo(ChronoUnit.SECONDS);
  }

  boolean pauses(Instant now) {
    return (rejections > 0 || errors > 0)
        && !pauseEnds().isBefore(now.truncatedTo(ChronoUnit.SECONDS));
  }
}
