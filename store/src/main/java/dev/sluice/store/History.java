package dev.sluice.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The changes since the oldest revision that is kept, and the states between them.
 *
 * <p>A state after every change would hold a copy of one path of three maps each, about a kilobyte.
 * So a state is kept only every {@value #STRIDE} revisions, and one between is made when asked for,
 * by applying at most {@code STRIDE - 1} changes to the one before.
 *
 * <p>Threads: safe. The lock is held for moments in memory only, never over a listener or a disk.
 */
final class History {
  private static final int STRIDE = 64;

  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<Long, State> states = new TreeMap<>();
  private List<Kept> changes = new ArrayList<>();
  private long bytes;

  /** A change, and how much JSON it wrote. */
  record Kept(Change change, int bytes) {}

  /** A history that begins at a state. */
  History(State oldest) {
    states.put(oldest.revision(), oldest);
  }

  /** Adds the next change and the state it led to. */
  void append(Kept kept, State after) {
    locked(() -> {
      changes.add(kept);
      bytes += kept.bytes();
      if (after.revision() % STRIDE == 0) {
        states.put(after.revision(), after);
      }
      return after;
    });
  }

  /** The oldest revision that can be asked for. */
  long oldest() {
    return locked(states::firstKey);
  }

  /** The revision up to which it should be forgotten, if it has grown past its limit. */
  OptionalLong overflow(HistoryLimit limit) {
    return locked(() -> {
      if (changes.size() <= limit.changes() && bytes <= limit.bytes()) {
        return OptionalLong.empty();
      }
      int first = changes.size();
      long rest = 0;
      while (first > 0
          && changes.size() - first < limit.changes() / 2
          && rest + changes.get(first - 1).bytes() <= limit.bytes() / 2) {
        first--;
        rest += changes.get(first).bytes();
      }
      return OptionalLong.of(states.firstKey() + first);
    });
  }

  /** The state at a revision, which must be between the oldest and the newest. */
  State at(long revision) {
    return locked(() -> stateAt(revision));
  }

  /** The changes after a revision, which must be between the oldest and the newest. */
  List<Change> after(long revision) {
    return locked(() -> plain(changes.subList(index(revision), changes.size())));
  }

  /** The changes that compacting up to a revision would forget. */
  List<Change> upTo(long revision) {
    return locked(() -> plain(changes.subList(0, index(revision))));
  }

  private static List<Change> plain(List<Kept> kept) {
    var plain = new ArrayList<Change>(kept.size());
    kept.forEach(one -> plain.add(one.change()));
    return plain;
  }

  /** Forgets the changes up to a revision, whose state becomes the oldest. */
  void compact(long revision) {
    locked(() -> {
      State oldest = stateAt(revision);
      changes.subList(0, index(revision)).forEach(gone -> bytes -= gone.bytes());
      changes = new ArrayList<>(changes.subList(index(revision), changes.size()));
      states.headMap(revision).clear();
      return states.put(revision, oldest);
    });
  }

  private State stateAt(long revision) {
    int end = index(revision);
    Map.Entry<Long, State> nearest = states.floorEntry(revision);
    State state = nearest.getValue();
    for (Kept kept : changes.subList(index(nearest.getKey()), end)) {
      state = state.apply(kept.change());
    }
    return state;
  }

  /** How many of the kept changes are not after a revision. */
  private int index(long revision) {
    long oldest = states.firstKey();
    if (revision < oldest) {
      throw new CompactedException(revision, oldest);
    }
    if (revision - oldest > changes.size()) {
      throw new IllegalArgumentException(
          "revision %d has not happened yet: the store is at %d"
              .formatted(revision, oldest + changes.size()));
    }
    return (int) (revision - oldest);
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
