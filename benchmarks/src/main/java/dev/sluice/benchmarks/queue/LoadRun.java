package dev.sluice.benchmarks.queue;

import dev.sluice.benchmarks.world.ApiClient;
import dev.sluice.benchmarks.world.FailedBenchmark;
import dev.sluice.model.Condition;
import dev.sluice.model.GoDuration;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A run of a shape against an API server: it creates the workloads on their timers, watches them,
 * and finishes each once its time has passed since its admission was observed. A workload that is
 * evicted runs again when it is admitted again.
 *
 * <p>Threads: {@link #play} once, from any thread.
 */
final class LoadRun {
  private static final int CREATIONS_AT_ONCE = 32;
  private static final int ENDINGS_AT_ONCE = 32;
  private static final int CONFLICT = 409;

  /** The delay after a conflict: the watch delivers the newer state within it. */
  private static final Duration SOON = Duration.ofMillis(20);

  /** The delay before an evicted workload is released, which some servers leave to its owner. */
  private static final Duration EVICTION_GRACE = Duration.ofSeconds(2);

  private final ApiClient client;
  private final Shape shape;
  private final Map<String, Life> lives = new LinkedHashMap<>();
  private final CompletableFuture<Long> ended = new CompletableFuture<>();
  private final LoadTimer creations;
  private final LoadTimer endings;

  /** How many are not finished yet; known to the thread of the watch alone. */
  private int left;

  LoadRun(ApiClient client, Shape shape) {
    this.client = client;
    this.shape = shape;
    Arrival.of(shape).forEach(arrival -> lives.put(arrival.name(), new Life(arrival)));
    this.left = lives.size();
    this.creations = new LoadTimer("bench-creations", CREATIONS_AT_ONCE, this::fail);
    this.endings = new LoadTimer("bench-endings", ENDINGS_AT_ONCE, this::fail);
  }

  /** The workloads in the order of their arrival. */
  Collection<Life> lives() {
    return lives.values();
  }

  /** Runs it to its end and returns the time from the first creation to the last end. */
  Duration play(String revision) throws InterruptedException {
    try (creations;
        endings;
        var _ = new WorkloadWatch(client, revision, this::observe, this::fail)) {
      long start = System.nanoTime();
      for (Life life : lives.values()) {
        creations.at(start + life.arrival().after().toNanos(), () -> create(life));
      }
      return Duration.ofNanos(await() - start);
    }
  }

  private long await() throws InterruptedException {
    try {
      return ended.get(shape.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw new FailedBenchmark(
          "%s was not finished after %s: %s"
              .formatted(shape.name(), GoDuration.format(shape.timeout()), whatIsLeft()));
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof FailedBenchmark benchmark
          ? benchmark
          : new IllegalStateException("the bench's own client failed", failed.getCause());
    }
  }

  private void fail(RuntimeException failure) {
    ended.completeExceptionally(failure);
  }

  private void create(Life life) {
    life.created(System.nanoTime());
    require(client.create(LoadObjects.WORKLOADS, LoadObjects.workload(life.arrival())), life);
  }

  private static void require(ApiClient.Response answer, Life life) {
    if (!answer.ok()) {
      throw new FailedBenchmark(
          "the server refused workload %s: %s".formatted(life.arrival().name(), answer));
    }
  }

  private void observe(Tree workload) {
    Life life = lives.get(workload.text("metadata", "name"));
    if (life == null) {
      return;
    }
    long now = System.nanoTime();
    Seen before = life.seen();
    life.see(Seen.of(workload), now);
    Seen seen = life.seen();
    if (seen.finished() && !before.finished()) {
      finished(now);
    } else if (seen.runs() && !before.runs()) {
      int admission = life.admissions();
      endings.at(now + life.arrival().kind().runtime().toNanos(), () -> finish(life, admission));
    } else if (seen.waitsForRelease() && !before.waitsForRelease()) {
      endings.at(now + EVICTION_GRACE.toNanos(), () -> release(life));
    }
  }

  private void finished(long now) {
    left--;
    if (left == 0) {
      ended.complete(now);
    }
  }

  private void finish(Life life, int admission) {
    Seen seen = life.seen();
    if (seen.runs() && life.admissions() == admission) {
      patch(life, seen.finish(Instant.now()), () -> finish(life, admission));
    }
  }

  private void release(Life life) {
    Seen seen = life.seen();
    if (seen.waitsForRelease()) {
      patch(life, seen.release(Instant.now()), () -> release(life));
    }
  }

  private void patch(Life life, Tree patch, Runnable again) {
    String path = LoadObjects.WORKLOADS + "/" + life.arrival().name() + "/status";
    ApiClient.Response answer = client.patch(path, patch);
    if (answer.code() == CONFLICT) {
      endings.at(System.nanoTime() + SOON.toNanos(), again);
    } else {
      require(answer, life);
    }
  }

  /** For the message of a timeout: how many are in which state, and an example of each. */
  private String whatIsLeft() {
    var counts = new TreeMap<String, Integer>();
    var examples = new TreeMap<String, String>();
    for (Life life : lives.values()) {
      String state = state(life.seen());
      if (!state.equals("finished")) {
        counts.merge(state, 1, Integer::sum);
        examples.putIfAbsent(state, example(life));
      }
    }
    var text = new StringBuilder();
    counts.forEach((state, count) ->
        text.append("%d %s (such as %s); ".formatted(count, state, examples.get(state))));
    return text.toString().strip();
  }

  private static String state(Seen seen) {
    if (seen.equals(Seen.NOTHING)) {
      return "not created";
    }
    if (seen.finished()) {
      return "finished";
    }
    return seen.waitsForRelease() ? "evicted" : seen.reserved() ? "running" : "waiting";
  }

  private static String example(Life life) {
    String why =
        Condition.find(life.seen().status(), "QuotaReserved")
            .map(condition -> ": " + condition.text("message"))
            .orElse("");
    return life.arrival().name() + why;
  }
}
