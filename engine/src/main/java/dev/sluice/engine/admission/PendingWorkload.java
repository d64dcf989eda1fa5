package dev.sluice.engine.admission;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** A workload that waits for admission. The order is that of its queue. */
public record PendingWorkload(
    String namespace,
    String name,
    String uid,
    String localQueue,
    int priority,
    Instant since,
    List<PodSetRequest> podSets)
    implements Comparable<PendingWorkload> {
  private static final Comparator<PendingWorkload> ORDER =
      Comparator.comparingInt(PendingWorkload::priority)
          .reversed()
          .thenComparing(PendingWorkload::since)
          .thenComparing(PendingWorkload::uid)
          .thenComparing(PendingWorkload::namespace)
          .thenComparing(PendingWorkload::name);

  public PendingWorkload {
    podSets = List.copyOf(podSets);
  }

  /** {@code namespace/name}. */
  public String path() {
    return namespace + "/" + name;
  }

  @Override
  public int compareTo(PendingWorkload other) {
    return ORDER.compare(this, other);
  }
}
