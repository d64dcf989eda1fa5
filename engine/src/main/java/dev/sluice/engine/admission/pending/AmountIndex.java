package dev.sluice.engine.admission.pending;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Groups of one priority, by an amount that each of them needs.
 *
 * <p>Goal: among the groups that need no more than there is, find the first in the order of the
 * queue, however many others there are. Constraint: what costs is memory that is not in a cache.
 * Method: the groups are in chunks, by amount; each chunk knows its first group, and is scanned
 * only if some of its groups need too much. The group that was found last is remembered: it is the
 * first for any lower limit too, as long as that is enough for it.
 *
 * <p>A group must be removed before its position in the queue changes.
 */
final class AmountIndex {
  private final List<GroupsByAmount> chunks = new ArrayList<>();
  private @Nullable EquivalenceGroup known;
  private long knownAmount;
  private long knownLimit;

  boolean isEmpty() {
    return chunks.isEmpty();
  }

  /** The smallest amount that a group needs. */
  long least() {
    return chunks.isEmpty() ? Long.MAX_VALUE : chunks.getFirst().least();
  }

  void add(long amount, EquivalenceGroup group) {
    if (chunks.isEmpty()) {
      chunks.add(new GroupsByAmount());
    }
    int place = chunkOf(amount, group);
    if (chunks.get(place).isFull()) {
      chunks.add(place + 1, chunks.get(place).split());
      place = chunkOf(amount, group);
    }
    chunks.get(place).add(amount, group);
    if (known != null && amount <= knownLimit && group.compareTo(known) < 0) {
      known = group;
      knownAmount = amount;
    }
  }

  void remove(long amount, EquivalenceGroup group) {
    int place = chunkOf(amount, group);
    chunks.get(place).remove(amount, group);
    if (chunks.get(place).isEmpty()) {
      chunks.remove(place);
    }
    known = known == group ? null : known;
  }

  /** The first group for any amount there may be. */
  AmountFrontier frontier() {
    var frontier = new AmountFrontier();
    for (GroupsByAmount chunk : chunks) {
      chunk.extend(frontier);
    }
    return frontier;
  }

  /** The first group that needs no more than an amount. */
  @Nullable EquivalenceGroup first(long most) {
    if (known == null || most < knownAmount || most > knownLimit) {
      find(most);
    }
    return known;
  }

  private void find(long most) {
    known = null;
    knownLimit = most;
    for (GroupsByAmount chunk : chunks) {
      if (chunk.least() > most) {
        break;
      }
      int place = chunk.first(most);
      EquivalenceGroup group = chunk.group(place);
      if (known == null || group.compareTo(known) < 0) {
        known = group;
        knownAmount = chunk.amount(place);
      }
    }
  }

  /** The last chunk that does not begin behind a group. */
  private int chunkOf(long amount, EquivalenceGroup group) {
    int low = 0;
    int high = chunks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (chunks.get(middle).isBehind(amount, group)) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    return low;
  }
}
