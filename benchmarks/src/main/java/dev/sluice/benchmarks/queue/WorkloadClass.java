package dev.sluice.benchmarks.queue;

import java.time.Duration;

/**
 * Workloads of one kind in every queue.
 *
 * @param count how many arrive in each queue
 * @param runtime how long each holds its quota once admitted
 * @param interval from one arrival in a queue to the next
 */
record WorkloadClass(
    String name, int count, int cpu, Duration runtime, int priority, Duration interval) {

  WorkloadClass scaled(double scale) {
    int scaled = (int) Math.max(1, Math.round(count * scale));
    return new WorkloadClass(name, scaled, cpu, runtime, priority, interval);
  }

  /** The quota all of them hold in one queue, times how long, in cpu and milliseconds. */
  long work() {
    return runtime.toMillis() * cpu * count;
  }

  Duration lastArrival() {
    return interval.multipliedBy(count);
  }
}
