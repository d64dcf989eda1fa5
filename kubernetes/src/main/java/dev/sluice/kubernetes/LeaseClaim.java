package dev.sluice.kubernetes;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Lease;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One candidate's claim to a Lease object. The claim of another candidate is respected until the
 * lease was seen unchanged for as long as it says it holds, measured with our own timer.
 *
 * <p>Threads: one thread claims; {@link #holder} may be asked by all.
 */
final class LeaseClaim implements AutoCloseable {

  /** How a claim went. */
  enum Outcome {
    /** The lease is ours. */
    MINE,
    /** The lease belongs to another candidate. */
    OTHERS,
    /** Another candidate wrote the lease at the same time: the next claim shows whose it is. */
    CONTESTED
  }

  private final UncachedObjects objects;
  private final ObjectKey key;
  private final String identity;
  private final Duration duration;
  private final TimeSource time;
  private final Runnable onFree;

  private final ReentrantLock lock = new ReentrantLock();
  private Optional<Lease> seen = Optional.empty();
  private boolean ended;
  private Subscription untilEnded = () -> {};

  /**
   * @param onFree notified when the claim of another candidate has ended
   */
  LeaseClaim(
      UncachedObjects objects,
      ObjectKey key,
      String identity,
      Duration duration,
      TimeSource time,
      Runnable onFree) {
    this.objects = objects;
    this.key = key;
    this.identity = identity;
    this.duration = duration;
    this.time = time;
    this.onFree = onFree;
  }

  /** The holder of the lease as far as we know; empty if there is none. */
  String holder() {
    return last().map(Lease::holder).orElse("");
  }

  private Optional<Lease> last() {
    lock.lock();
    try {
      return seen;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes or renews the lease if it is ours or free.
   *
   * @param holding whether it was ours the last time, which saves a look at it
   */
  Outcome claim(boolean holding) {
    try {
      Optional<Lease> current =
          holding ? last() : objects.get(key).map(Lease::new).map(this::observed);
      if (current.isEmpty()) {
        observed(new Lease(objects.create(key, taken(Lease.of(key.namespace(), key.name())))));
        return Outcome.MINE;
      }
      Lease lease = current.get();
      boolean ours = lease.holder().equals(identity);
      if (!ours && !isFree(lease)) {
        return Outcome.OTHERS;
      }
      observed(new Lease(objects.update(key, ours ? held(lease) : taken(lease))));
      return Outcome.MINE;
    } catch (ApiException refused) {
      return switch (refused.failure().reason()) {
        case CONFLICT, ALREADY_EXISTS -> contested();
        default -> throw refused;
      };
    }
  }

  /** Reads the lease again; one that was deleted is created again. */
  private Outcome contested() {
    Optional<Lease> now = objects.get(key).map(Lease::new).map(this::observed);
    if (now.isEmpty()) {
      forget();
    }
    boolean others = now.map(Lease::holder).filter(holder -> !holder.equals(identity)).isPresent();
    return others ? Outcome.OTHERS : Outcome.CONTESTED;
  }

  private void forget() {
    lock.lock();
    try {
      seen = Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private ApiObject held(Lease lease) {
    return lease.held(identity, duration, time.now()).object();
  }

  private ApiObject taken(Lease lease) {
    return lease.taken(identity, duration, time.now()).object();
  }

  private boolean isFree(Lease lease) {
    lock.lock();
    try {
      return lease.holder().isEmpty() || ended;
    } finally {
      lock.unlock();
    }
  }

  /** Remembers a lease; one that is new to us is believed for as long as it says, from now on. */
  private Lease observed(Lease lease) {
    lock.lock();
    try {
      if (!seen.equals(Optional.of(lease))) {
        seen = Optional.of(lease);
        ended = false;
        untilEnded.close();
        untilEnded = time.after(lease.duration(), () -> end(lease));
      }
      return lease;
    } finally {
      lock.unlock();
    }
  }

  private void end(Lease lease) {
    lock.lock();
    try {
      ended = seen.equals(Optional.of(lease));
    } finally {
      lock.unlock();
    }
    onFree.run();
  }

  /** Gives the lease back if it is ours, so that the next one need not wait. */
  void release() {
    Optional<Lease> mine =
        objects.get(key).map(Lease::new).filter(lease -> lease.holder().equals(identity));
    try {
      mine.ifPresent(lease -> objects.update(key, lease.released(time.now()).object()));
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.CONFLICT)) {
        throw refused;
      }
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      untilEnded.close();
    } finally {
      lock.unlock();
    }
  }
}
