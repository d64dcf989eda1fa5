package dev.sluice.engine.admission.pending;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a group, in the order of the queue. Nearly all of them come at the end and leave
 * at the front, which touches no other; for one in between, the entries behind it move.
 */
final class Members {
  private @Nullable PendingEntry[] entries = new @Nullable PendingEntry[4];
  private int from;
  private int to;

  int size() {
    return to - from;
  }

  void forEach(Consumer<PendingEntry> visitor) {
    for (int i = from; i < to; i++) {
      visitor.accept(at(i));
    }
  }

  void add(PendingEntry entry) {
    if (to == entries.length) {
      makeRoom();
    }
    int place = place(entry);
    System.arraycopy(entries, place, entries, place + 1, to - place);
    entries[place] = entry;
    to++;
  }

  /** Removes the first entry; null if there is none. */
  @Nullable PendingEntry pollFirst() {
    if (from == to) {
      return null;
    }
    PendingEntry first = entries[from];
    entries[from] = null;
    from++;
    return first;
  }

  void remove(PendingEntry entry) {
    int place = place(entry);
    if (place == to || entries[place] != entry) {
      throw new IllegalStateException(entry.path() + " is not where it should be");
    }
    to--;
    System.arraycopy(entries, place + 1, entries, place, to - place);
    entries[to] = null;
  }

  private PendingEntry at(int place) {
    return Objects.requireNonNull(entries[place]);
  }

  /** Moves all entries to the start of an array with as much room again. */
  private void makeRoom() {
    int size = size();
    entries = Arrays.copyOfRange(entries, from, from + 2 * size + 4);
    from = 0;
    to = size;
  }

  /** The index at which an entry is, or belongs. */
  private int place(PendingEntry entry) {
    if (from == to || entry.compareTo(at(to - 1)) > 0) {
      return to;
    }
    int low = from;
    int high = to - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (at(middle).compareTo(entry) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
