package dev.sluice.benchmarks.jobs;

import dev.sluice.benchmarks.world.ApiClient;
import dev.sluice.benchmarks.world.FailedBenchmark;
import dev.sluice.benchmarks.world.LiveHeap;
import dev.sluice.benchmarks.world.ServerUse;
import dev.sluice.benchmarks.world.World;
import dev.sluice.model.GoDuration;
import dev.sluice.model.tree.Tree;
import java.time.Duration;

/**
 * A control plane that fills up with pods that stay: each step adds Jobs until there are as many
 * pods as wanted, all scheduled and running.
 */
final class NodesRun {
  private static final Tree LONG = Tree.of("sluice.dev/duration", "10000h");
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

  /** A slow machine may take longer in all, but not without any progress. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final World world;
  private final ApiClient client;
  private final LiveHeap empty;
  private long pods;
  private int jobs;

  /**
   * @param world with its nodes
   */
  NodesRun(World world, ApiClient client) throws InterruptedException {
    this.world = world;
    this.client = client;
    IndexedJobRun.awaitNodes(client);
    this.empty = heap();
  }

  /** The live heap of the server before there are pods. */
  LiveHeap empty() {
    return empty;
  }

  /**
   * The cost of a step, and the live heap of the server after it.
   *
   * @param pods the number of pods that run now
   * @param added how many of them the step added
   */
  record Result(
      long pods, long added, Duration wall, Duration cpu, LiveHeap heap, long own, ServerUse use) {

    String text() {
      double seconds = wall.toNanos() / 1e9;
      return "%,9d pods %8.1f s %,8.0f pods/s %6.0f us of cpu a pod %,7d MiB live %,7d bytes a pod %,7d MiB resident at most"
          .formatted(
              pods,
              seconds,
              added / seconds,
              cpu.toNanos() / 1e3 / added,
              heap.bytes() >> 20,
              own / pods,
              use.peakKibibytes().orElse(0) >> 10);
    }
  }

  /** Adds Jobs until there are so many pods, and waits until all of them run. */
  Result fillTo(long wanted) throws InterruptedException {
    long added = wanted - pods;
    ServerUse before = use();
    long start = System.nanoTime();
    while (pods < wanted) {
      long size = Math.min(LargeJob.MAX_PODS, wanted - pods);
      addJob(size);
      pods += size;
    }
    Duration wall = Duration.ofNanos(System.nanoTime() - start);
    Duration cpu = use().since(before).cpu();
    LiveHeap heap = heap();
    return new Result(pods, added, wall, cpu, heap, heap.bytes() - empty.bytes(), use());
  }

  private void addJob(long size) throws InterruptedException {
    String name = "large-" + jobs++;
    ApiClient.Response created = client.create(LargeJob.COLLECTION, LargeJob.of(name, size, LONG));
    if (!created.ok()) {
      throw new FailedBenchmark("the server refused a Job: " + created);
    }
    long running = 0;
    long moved = System.nanoTime();
    while (running < size) {
      Thread.sleep(BETWEEN_LOOKS);
      Tree status = client.get(LargeJob.COLLECTION + "/" + name).tree().tree("status");
      long now = status.whole("ready").orElse(0);
      if (now != running) {
        running = now;
        moved = System.nanoTime();
      } else if (System.nanoTime() - moved > PATIENCE.toNanos()) {
        throw new FailedBenchmark(
            "nothing moved for %s; of %s's %d pods these run: %s"
                .formatted(GoDuration.format(PATIENCE), name, size, status));
      }
    }
  }

  private ServerUse use() {
    return world.use().getFirst();
  }

  private LiveHeap heap() throws InterruptedException {
    return LiveHeap.of(use().pid());
  }
}
