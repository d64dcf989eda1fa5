package dev.sluice.engine.admission.pending;

/** How many workloads are pending in a queue, and how many of them are inadmissible. */
public record QueueLength(int pending, int inadmissible) {
  public static final QueueLength EMPTY = new QueueLength(0, 0);

  public QueueLength plus(QueueLength other) {
    return new QueueLength(pending + other.pending, inadmissible + other.inadmissible);
  }
}
