package dev.sluice.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  private List<Change> changes = new ArrayList<>();

  /** A history that begins at a state. */
  History(State oldest) {
    states.put(oldest.revision(), oldest);
  }

  /** Adds the next change and the state it led to. */
  void append(Change change, State after) {
    locked(() -> {
      changes.add(change);
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

  /** How many changes are kept. */
  int size() {
    return locked(() -> changes.size());
  }

  /** The state at a revision, which must be between the oldest and the newest. */
  State at(long revision) {
    return locked(() -> stateAt(revision));
  }

  /** The changes after a revision, which must be between the oldest and the newest. */
  List<Change> after(long revision) {
    return locked(() -> new ArrayList<>(changes.subList(index(revision), changes.size())));
  }

  /** The changes that compacting up to a revision would forget. */
  List<Change> upTo(long revision) {
    return locked(() -> new ArrayList<>(changes.subList(0, index(revision))));
  }

  /** Forgets the changes up to a revision, whose state becomes the oldest. */
  void compact(long revision) {
    locked(() -> {
      State oldest = stateAt(revision);
      changes = new ArrayList<>(changes.subList(index(revision), changes.size()));
      states.headMap(revision).clear();
      return states.put(revision, oldest);
    });
  }

  private State stateAt(long revision) {
    int end = index(revision);
    Map.Entry<Long, State> nearest = states.floorEntry(revision);
    State state = nearest.getValue();
    for (Change change : changes.subList(index(nearest.getKey()), end)) {
      state = state.apply(change);
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
