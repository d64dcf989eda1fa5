package dev.sluice.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes writes durable in groups.
 *
 * <p>One platform thread decides the writes in the order they came and keeps those of a group in
 * one transaction. A second one publishes what is on the disk and only then answers, while the
 * first is busy with the next group. Callers block until their write is answered, so neither queue
 * is ever longer than there are callers. A failed append is final: what the disk holds is unknown,
 * so this and every later write is refused.
 *
 * <p>Threads: safe.
 */
final class Committer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
  private static final int MAX_GROUP = 1024;

  private sealed interface Request {
    /** Completed with the change, or with nothing, or with why not. */
    CompletableFuture<@Nullable Change> reply();
  }

  private record Commit(Write write, Encoded json, CompletableFuture<@Nullable Change> reply)
      implements Request {}

  private record Compact(long revision, CompletableFuture<@Nullable Change> reply)
      implements Request {}

  private record Stop(CompletableFuture<@Nullable Change> reply) implements Request {}

  /** A write of the group with what it leads to once the group is on the disk. */
  private record Step(Commit commit, Change change, State after) {
    Journal.Row row() {
      return new Journal.Row(change, commit.json());
    }

    History.Kept kept() {
      return new History.Kept(change, commit.json().bytes().length);
    }
  }

  /** Why no more writes are taken. */
  private record End(String message, @Nullable Throwable cause) {
    void refuse(Request request) {
      request.reply().completeExceptionally(new StoppedException(message, cause));
    }
  }

  private final BlockingQueue<Request> queue = new LinkedBlockingQueue<>();
  private final String name;
  private final Journal journal;
  private final WatchCache ledger;
  private final Thread owner;
  private final ExecutorService teller =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("store-teller").factory());

  /** What the writes on their way lead to, which is ahead of the ledger; the owner's alone. */
  private State decided;

  private volatile @Nullable End end;

  /**
   * @param name what messages call the store
   */
  Committer(String name, Journal journal, WatchCache ledger) {
    this.name = name;
    this.journal = journal;
    this.ledger = ledger;
    this.decided = ledger.current();
    this.owner = Thread.ofPlatform().name("store-committer").start(this::run);
  }

  /** Blocks until the write is durable and published, and returns the change. */
  Change commit(Write write, Encoded json) {
    Change change = await(new Commit(write, json, new CompletableFuture<>()));
    if (change == null) {
      throw new IllegalStateException("a write was answered without its change");
    }
    return change;
  }

  /** Blocks until the history up to a revision is forgotten. */
  void compact(long revision) {
    await(new Compact(revision, new CompletableFuture<>()));
  }

  /**
   * @throws StoppedException if writes are refused
   */
  void checkOpen() {
    End ended = end;
    if (ended != null) {
      throw new StoppedException(ended.message(), ended.cause());
    }
  }

  /** Serves what was asked before, refuses what comes after, and waits for the thread to end. */
  @Override
  public void close() {
    queue.add(new Stop(new CompletableFuture<>()));
    boolean interrupted = false;
    while (true) {
      try {
        owner.join();
        break;
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable Change await(Request request) {
    queue.add(request);
    End ended = end;
    if (ended != null) {
      refuseQueued(ended);
    }
    try {
      return request.reply().join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RuntimeException reason) {
        throw reason;
      }
      throw failed;
    }
  }

  private void run() {
    var group = new ArrayList<Request>();
    var why = new End(name + " is closed and takes no more writes", null);
    try {
      boolean open = true;
      while (open && end == null) {
        group.clear();
        group.add(queue.take());
        queue.drainTo(group, MAX_GROUP - 1);
        open = serve(group);
      }
    } catch (IOException | InterruptedException | RuntimeException | Error failed) {
      why = endedBy(failed);
      LOG.error("{}", why.message(), failed);
    } finally {
      // A write that is on the disk is acknowledged; an answer once given stays.
      teller.close();
      end = end == null ? why : end;
      queue.addAll(group);
      refuseQueued(why);
    }
  }

  private End endedBy(Throwable failure) {
    String message =
        name
            + " takes no more writes, because one failed and what the disk holds is unknown: "
            + failure.getMessage()
            + "; see to the disk and start again";
    return new End(message, failure);
  }

  /** Answers a group in order; false if it ends with the order to stop. */
  private boolean serve(List<Request> group) throws IOException {
    // Before the group, so that a client that was answered since finds the history cut.
    var overflow = ledger.overflow();
    if (overflow.isPresent()) {
      forget(overflow.getAsLong());
    }
    var commits = new ArrayList<Commit>();
    for (Request request : group) {
      switch (request) {
        case Commit commit -> commits.add(commit);
        case Compact compact -> {
          write(commits);
          commits.clear();
          forget(compact);
        }
        case Stop ignored -> {
          write(commits);
          return false;
        }
      }
    }
    write(commits);
    return true;
  }

  /** Decides the writes one after another, keeps the winners together, and has all answered. */
  private void write(List<Commit> commits) throws IOException {
    var steps = new ArrayList<Step>();
    var refusals = new ArrayList<Runnable>();
    State state = decided;
    for (Commit commit : commits) {
      try {
        Change change = commit.write().decide(state);
        state = state.apply(change);
        steps.add(new Step(commit, change, state));
      } catch (StaleException lost) {
        // Answered after the append: the write it lost to is not durable yet.
        refusals.add(() -> commit.reply().completeExceptionally(lost));
      }
    }
    if (!steps.isEmpty()) {
      journal.append(steps.stream().map(Step::row).toList());
    }
    decided = state;
    teller.execute(() -> tell(steps, refusals));
  }

  private void tell(List<Step> steps, List<Runnable> refusals) {
    End ended = end;
    if (ended != null) {
      steps.forEach(step -> ended.refuse(step.commit()));
      refusals.forEach(Runnable::run);
      return;
    }
    try {
      for (Step step : steps) {
        ledger.publish(step.kept(), step.after());
        step.commit().reply().complete(step.change());
      }
      refusals.forEach(Runnable::run);
    } catch (RuntimeException | Error failed) {
      End why = endedBy(failed);
      LOG.error("{}", why.message(), failed);
      end = why;
      steps.forEach(step -> why.refuse(step.commit()));
    }
  }

  private void forget(Compact compact) throws IOException {
    boolean wanted;
    try {
      wanted = ledger.compactable(compact.revision());
    } catch (IllegalArgumentException future) {
      compact.reply().completeExceptionally(future);
      return;
    }
    if (wanted) {
      forget(compact.revision());
    }
    compact.reply().complete(null);
  }

  private void forget(long revision) throws IOException {
    journal.compact(revision, ledger.obsoleteAfterCompacting(revision));
    ledger.compact(revision);
  }

  private void refuseQueued(End why) {
    for (Request left = queue.poll(); left != null; left = queue.poll()) {
      why.refuse(left);
    }
  }
}
