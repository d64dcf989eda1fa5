package dev.sluice.engine.admission;

import dev.sluice.engine.queue.PendingWorkload;
import java.util.List;
import java.util.TreeSet;

/**
 * The workloads of a line that have the same shape, and so get the same answer; never empty while
 * it is listed. It stands in the line where its first member stands.
 */
final class WaitingGroup implements Comparable<WaitingGroup> {
  final Key key;
  final TreeSet<PendingWorkload> members = new TreeSet<>();
  boolean parked;
  List<ParkedGroups.Blocker> blockers = List.of();

  WaitingGroup(Key key) {
    this.key = key;
  }

  /** Where LocalQueues take turns, only workloads of the same one stand together. */
  record Key(PendingWorkload.Shape shape, String localQueue) {}

  @Override
  public int compareTo(WaitingGroup other) {
    return this == other ? 0 : members.first().compareTo(other.members.first());
  }
}
