package dev.sluice.benchmarks.queue;

import java.time.Duration;
import java.util.Collection;

/**
 * The times from creation to admission of the workloads of one class.
 *
 * @param lastEnd when the last of them ended, from the start of the run
 */
record ClassResult(
    String name, int workloads, Duration mean, Duration p99, int readmissions, Duration lastEnd) {

  static ClassResult of(WorkloadClass kind, Collection<Life> all) {
    var lives = all.stream().filter(life -> life.arrival().kind().equals(kind)).toList();
    long[] waits = lives.stream().mapToLong(Life::nanosToAdmission).sorted().toArray();
    long sum = 0;
    for (long wait : waits) {
      sum += wait;
    }
    int last = (int) Math.ceil(waits.length * 0.99) - 1;
    long start = all.stream().mapToLong(Life::createdAt).min().orElse(0);
    long end = lives.stream().mapToLong(Life::endedAt).max().orElse(start);
    int again = lives.stream().mapToInt(life -> life.admissions() - 1).sum();
    return new ClassResult(
        kind.name(),
        waits.length,
        Duration.ofNanos(sum / waits.length),
        Duration.ofNanos(waits[last]),
        again,
        Duration.ofNanos(end - start));
  }
}
