package dev.sluice.benchmarks.queue;

/**
 * One workload in a run: what the watch showed of it and when. Times are nanoseconds of the
 * system's steady clock.
 *
 * <p>Threads: the thread that reads the watch alone changes it; others read {@link #seen} and the
 * time of creation, which is set before the workload can be seen.
 */
final class Life {
  private final Arrival arrival;
  private volatile Seen seen = Seen.NOTHING;
  private volatile long createdAt;
  private volatile int admissions;
  private long admittedAt;
  private long reservedAt;
  private long reservedNanos;
  private long endedAt;

  Life(Arrival arrival) {
    this.arrival = arrival;
  }

  Arrival arrival() {
    return arrival;
  }

  Seen seen() {
    return seen;
  }

  void created(long now) {
    createdAt = now;
  }

  /** How often it was admitted so far. */
  int admissions() {
    return admissions;
  }

  /** From the request that created it to its first admission. */
  long nanosToAdmission() {
    return admittedAt - createdAt;
  }

  long createdAt() {
    return createdAt;
  }

  /** When it was first seen to be finished. */
  long endedAt() {
    return endedAt;
  }

  /** The total time for which it held quota. */
  long reservedNanos() {
    return reservedNanos;
  }

  /** Notes an event of the watch. */
  void see(Seen next, long now) {
    boolean held = seen.reserved() && !seen.finished();
    boolean holds = next.reserved() && !next.finished();
    if (holds && !held) {
      reservedAt = now;
    } else if (held && !holds) {
      reservedNanos += now - reservedAt;
    }
    if (next.finished() && !seen.finished()) {
      endedAt = now;
    }
    if (next.admitted() && !seen.admitted()) {
      int before = admissions;
      admittedAt = before == 0 ? now : admittedAt;
      admissions = before + 1;
    }
    seen = next;
  }
}
