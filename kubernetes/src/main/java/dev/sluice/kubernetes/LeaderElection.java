package dev.sluice.kubernetes;

import dev.sluice.model.ApiException;
import dev.sluice.model.GoDuration;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Agrees with others through a Lease object which of them leads, in the way of Kubernetes' own
 * components, so that ours and theirs can take turns on one lease.
 *
 * <p>The promise: {@link #leads} is false before any other candidate can lead. A leader that could
 * not renew its claim for {@link Terms#renewDeadline} gives up, and others take a claim only after
 * they have watched it unchanged for the longer {@link Terms#lease}. Both are measured with timers,
 * not with the clocks of machines, which may differ and jump. A process that was suspended may wake
 * up before its timers do, so a claim also ends once our own clock is past its end.
 *
 * <p>Threads: safe. The candidate is called on a thread of its own, one thing at a time; the claim
 * is renewed meanwhile.
 */
public final class LeaderElection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);

  /** A manager that wants to lead. */
  public interface Candidate {
    /** It leads from now on. If this fails, it steps down, and is asked again later. */
    void lead();

    /** Another candidate leads, as far as is known. */
    default void follow(String leader) {}

    /** It does not lead any more. Returns once everything that only a leader may do has ended. */
    void stepDown();
  }

  /** For how long a claim holds, when its holder gives it up, and how often it is renewed. */
  public record Terms(Duration lease, Duration renewDeadline, Duration retry) {
    public static final Terms NORMAL =
        new Terms(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    public Terms {
      if (lease.compareTo(renewDeadline) <= 0 || renewDeadline.compareTo(retry) <= 0) {
        throw new IllegalArgumentException(
            "leader election needs leaseDuration %s > renewDeadline %s > retryPeriod %s, or two could lead at once"
                .formatted(
                    GoDuration.format(lease),
                    GoDuration.format(renewDeadline),
                    GoDuration.format(retry)));
      }
    }
  }

  private final ObjectKey key;
  private final String identity;
  private final Terms terms;
  private final TimeSource time;
  private final Candidate candidate;
  private final LeaseClaim claim;
  private final ExecutorService instructions =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("leader").factory());
  private final Thread loop = Thread.ofVirtual().name("leader-election").unstarted(this::run);
  private final Semaphore wakeUps = new Semaphore(0);

  /** The leader that the candidate was last told to follow. Belongs to the loop. */
  private String followed = "";

  private final ReentrantLock lock = new ReentrantLock();
  private Optional<Tenure> tenure = Optional.empty();
  private boolean closed;

  /**
   * @param key the lease
   * @param identity the name of this candidate, different from all others
   */
  public LeaderElection(
      UncachedObjects objects,
      ObjectKey key,
      String identity,
      Terms terms,
      TimeSource time,
      Candidate candidate) {
    this.key = key;
    this.identity = identity;
    this.terms = terms;
    this.time = time;
    this.candidate = candidate;
    this.claim = new LeaseClaim(objects, key, identity, terms.lease(), time, wakeUps::release);
  }

  public void start() {
    loop.start();
  }

  /** Whether this candidate leads, and no other can. */
  public boolean leads() {
    return locked(() -> tenure.filter(Tenure::holds).isPresent());
  }

  /** The holder of the lease as far as we know; empty if there is none. */
  public String holder() {
    return claim.holder();
  }

  private void run() {
    while (!locked(() -> closed)) {
      try {
        attempt();
      } catch (ApiException refused) {
        LOG.warn("{}: the lease {} was not renewed: {}", identity, key, refused.getMessage());
      } catch (RuntimeException broken) {
        LOG.error("{}: a defect in leader election, please report it", identity, broken);
      }
      pause();
    }
  }

  private void attempt() {
    var next = new Tenure();
    boolean mine = false;
    try {
      switch (claim.claim(leads())) {
        case MINE -> mine = true;
        case OTHERS -> {
          lose();
          tellWhomToFollow(claim.holder());
        }
        case CONTESTED -> {}
      }
    } finally {
      if (mine) {
        begin(next);
      } else {
        next.close();
      }
    }
  }

  private void tellWhomToFollow(String leader) {
    if (!leader.equals(followed)) {
      followed = leader;
      instruct(() -> candidate.follow(leader));
    }
  }

  private void begin(Tenure next) {
    boolean first =
        locked(() -> {
          if (!next.holds()) {
            return false;
          }
          boolean none = tenure.isEmpty();
          tenure.ifPresent(Tenure::close);
          tenure = Optional.of(next);
          return none;
        });
    if (first) {
      followed = "";
      LOG.info("{} leads, by the lease {}", identity, key);
      instruct(this::lead);
    }
  }

  private void lose() {
    boolean led =
        locked(() -> {
          Optional<Tenure> ended = tenure;
          tenure = Optional.empty();
          ended.ifPresent(Tenure::close);
          return ended.isPresent();
        });
    if (led) {
      LOG.info("{} no longer leads, by the lease {}", identity, key);
      instruct(candidate::stepDown);
    }
  }

  private void lead() {
    if (!leads()) {
      return;
    }
    try {
      candidate.lead();
    } catch (RuntimeException failed) {
      LOG.error("{} cannot lead yet: {}", identity, failed.toString());
      lose();
    }
  }

  private void instruct(Runnable task) {
    locked(() -> {
      if (!instructions.isShutdown()) {
        instructions.execute(task);
      }
      return true;
    });
  }

  private void pause() {
    try (var _ = time.after(terms.retry(), wakeUps::release)) {
      wakeUps.acquire();
      wakeUps.drainPermits();
    } catch (InterruptedException stop) {
      // the loop asks whether it is closed
    }
  }

  private void release() {
    try {
      claim.release();
    } catch (ApiException refused) {
      LOG.info(
          "{}: the lease {} was not released and will expire: {}",
          identity,
          key,
          refused.getMessage());
    }
  }

  /** Steps down if it leads, and only then lets others lead. */
  @Override
  public void close() {
    boolean again =
        locked(() -> {
          boolean before = closed;
          closed = true;
          return before;
        });
    if (again) {
      return;
    }
    loop.interrupt();
    join();
    lose();
    instructions.close();
    claim.close();
    release();
  }

  private void join() {
    try {
      loop.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The time for which a claim can be relied on. Counts from before the claim is sent, because
   * others count from when they see it.
   */
  private final class Tenure implements Subscription {
    private final Instant end = time.now().plus(terms.renewDeadline());
    private final Subscription timer = time.after(terms.renewDeadline(), this::end);
    private boolean over;

    boolean holds() {
      return !over && time.now().isBefore(end);
    }

    private void end() {
      boolean current =
          locked(() -> {
            over = true;
            return tenure.filter(held -> held == this).isPresent();
          });
      if (current) {
        lose();
      }
    }

    @Override
    public void close() {
      timer.close();
    }
  }
}
