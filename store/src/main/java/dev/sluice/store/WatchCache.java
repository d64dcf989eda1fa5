package dev.sluice.store;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * What both stores keep in memory: the newest state, the history behind it, and the watches.
 *
 * <p>Threads: safe. Publishing and starting a watch take turns under one lock, and the listeners
 * run inside the turn: that is what makes their order the order of revisions, and history and the
 * live changes meet without a gap. So a listener that blocks holds up the writers. Reads take no
 * turn.
 */
final class WatchCache {
  private final ReentrantLock turn = new ReentrantLock();
  private final Map<KindName, ConcurrentSkipListMap<Long, WatchSubscription>> watches =
      new ConcurrentHashMap<>();
  private final History history;
  private final HistoryLimit limit;

  /** The objects of the newest state once more: its trees take many steps to find one of many. */
  private final ConcurrentHashMap<StoreKey, ApiObject> newest = new ConcurrentHashMap<>();

  private long watchesStarted;
  private volatile boolean closed;
  private volatile State current;
  private volatile long delivered;

  /**
   * @param oldest the state before the first of {@code changes}
   */
  WatchCache(State oldest, List<History.Kept> changes, HistoryLimit limit) {
    this.limit = limit;
    this.history = new History(oldest);
    this.current = oldest;
    this.delivered = oldest.revision();
    oldest.forEach(newest::put);
    for (History.Kept kept : changes) {
      publish(kept, current.apply(kept.change()));
    }
  }

  State current() {
    return current;
  }

  /** One object of the newest state. */
  Optional<ApiObject> get(ObjectKey key) {
    return Optional.ofNullable(newest.get(StoreKey.of(key)));
  }

  void checkOpen() {
    if (closed) {
      throw new StoppedException("the store is closed and takes no more writes");
    }
  }

  long oldest() {
    return history.oldest();
  }

  State at(long revision) {
    State newest = current;
    return newest.revision() == revision ? newest : history.at(revision);
  }

  /** Decides a write against the newest state and publishes the change. */
  Change commit(Write write) {
    refuseListener();
    turn.lock();
    try {
      checkOpen();
      Change change = write.decide(current);
      publish(new History.Kept(change, 0), current.apply(change));
      overflow().ifPresent(this::compact);
      return change;
    } finally {
      turn.unlock();
    }
  }

  /** Makes a change visible, then hands it to the watches of its kind. */
  void publish(History.Kept kept, State after) {
    Change change = kept.change();
    turn.lock();
    try {
      history.append(kept, after);
      StoreKey place = StoreKey.of(change.key());
      change
          .after()
          .ifPresentOrElse(object -> newest.put(place, object), () -> newest.remove(place));
      current = after;
      var interested = watches.get(KindName.of(change.key().kind()));
      if (interested != null) {
        interested.values().forEach(watch -> watch.hand(change));
      }
      delivered = change.revision();
    } finally {
      turn.unlock();
    }
  }

  /** Replays the history of a kind to a listener, on this thread, and subscribes it to the rest. */
  Watch watch(ResourceKind kind, long after, Consumer<Change> listener) {
    turn.lock();
    try {
      if (closed) {
        throw new StoppedException("the store is closed and has no more changes to watch");
      }
      KindName name = KindName.of(kind);
      for (Change change : history.after(after)) {
        if (KindName.of(change.key().kind()).equals(name)) {
          listener.accept(change);
        }
      }
      var siblings = watches.computeIfAbsent(name, ignored -> new ConcurrentSkipListMap<>());
      long number = watchesStarted++;
      var watch =
          new WatchSubscription(
              kind, current.revision(), listener, () -> delivered, own -> siblings.remove(number));
      siblings.put(number, watch);
      return watch;
    } finally {
      turn.unlock();
    }
  }

  /** The revision up to which history should be forgotten, if it has grown past its limit. */
  OptionalLong overflow() {
    return history.overflow(limit);
  }

  /** Whether there is anything to forget up to a revision, which must not be in the future. */
  boolean compactable(long revision) {
    if (revision > current.revision()) {
      throw new IllegalArgumentException(
          "cannot forget the history up to revision %d: the store is at %d"
              .formatted(revision, current.revision()));
    }
    return revision > history.oldest();
  }

  /**
   * The revisions of the writes that are not needed after compacting up to {@code revision}: of the
   * objects replaced or deleted by then, and of the deletions themselves. An object comes before
   * its deletion, so dropping any number of them from the front never brings an object back.
   */
  List<Long> obsoleteAfterCompacting(long revision) {
    var obsolete = new ArrayList<Long>();
    for (Change change : history.upTo(revision)) {
      change.before().map(State::revisionOf).ifPresent(obsolete::add);
      if (change.after().isEmpty()) {
        obsolete.add(change.revision());
      }
    }
    return obsolete;
  }

  void compact(long revision) {
    turn.lock();
    try {
      if (compactable(revision)) {
        history.compact(revision);
      }
    } finally {
      turn.unlock();
    }
  }

  /** Refuses what a listener may not do: it would wait for itself, or break the order. */
  void refuseListener() {
    if (turn.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "a listener of a watch must not write to its store; hand the work to another thread");
    }
  }

  /** Ends every watch. The states stay readable. */
  void close() {
    turn.lock();
    try {
      closed = true;
      watches.values().forEach(siblings -> siblings.values().forEach(WatchSubscription::close));
    } finally {
      turn.unlock();
    }
  }
}
