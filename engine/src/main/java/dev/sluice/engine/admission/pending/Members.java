package dev.sluice.engine.admission.pending;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Workloads in the order of the line. Nearly all of them come at the end and leave at the front,
 * which touches nobody else; for one in between, those behind it move.
 */
final class Members {
  private @Nullable PendingEntry[] items = new @Nullable PendingEntry[4];
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

  void add(PendingEntry item) {
    if (to == items.length) {
      makeRoom();
    }
    int place = place(item);
    System.arraycopy(items, place, items, place + 1, to - place);
    items[place] = item;
    to++;
  }

  /** Takes the first away; null if there is none. */
  @Nullable PendingEntry pollFirst() {
    if (from == to) {
      return null;
    }
    PendingEntry first = items[from];
    items[from] = null;
    from++;
    return first;
  }

  void remove(PendingEntry item) {
    int place = place(item);
    if (place == to || items[place] != item) {
      throw new IllegalStateException(item.path() + " is not where it should be");
    }
    to--;
    System.arraycopy(items, place + 1, items, place, to - place);
    items[to] = null;
  }

  private PendingEntry at(int place) {
    return Objects.requireNonNull(items[place]);
  }

  /** Moves all to the start of an array with as much room again. */
  private void makeRoom() {
    int size = size();
    items = Arrays.copyOfRange(items, from, from + 2 * size + 4);
    from = 0;
    to = size;
  }

  /** Where an item is, or belongs. */
  private int place(PendingEntry item) {
    if (from == to || item.compareTo(at(to - 1)) > 0) {
      return to;
    }
    int low = from;
    int high = to - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (at(middle).compareTo(item) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
