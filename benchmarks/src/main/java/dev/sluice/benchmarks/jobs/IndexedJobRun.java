package dev.sluice.benchmarks.jobs;

import dev.sluice.benchmarks.world.ApiClient;
import dev.sluice.benchmarks.world.FailedBenchmark;
import dev.sluice.benchmarks.world.ServerUse;
import dev.sluice.benchmarks.world.World;
import dev.sluice.model.Condition;
import dev.sluice.model.GoDuration;
import dev.sluice.model.tree.Tree;
import java.time.Duration;

/** One Job on one control plane: the client creates it and polls its status until it ends. */
final class IndexedJobRun {
  private static final String JOBS = LargeJob.COLLECTION;
  private static final String NAME = "large";
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  private final World world;
  private final long pods;

  IndexedJobRun(World world, long pods) {
    this.world = world;
    this.pods = pods;
  }

  /** The measurements of a run. */
  record Result(long pods, Duration wall, long writes, ServerUse use) {

    String text() {
      double seconds = wall.toNanos() / 1e9;
      return "%,9d pods %8.1f s %,9.0f pods/s %7.0f us of cpu a pod %5.1f writes a pod %,7d MiB"
          .formatted(
              pods,
              seconds,
              pods / seconds,
              use.cpu().toNanos() / 1e3 / pods,
              (double) writes / pods,
              use.peakKibibytes().orElse(0) / 1024);
    }
  }

  Result play(ServerUse before) throws InterruptedException {
    try (var client = new ApiClient(world.kubeconfig())) {
      awaitNodes(client);
      long revision = revision(client);
      long start = System.nanoTime();
      require(client.create(JOBS, LargeJob.of(NAME, pods, Tree.EMPTY)));
      awaitEnd(client, start);
      Duration wall = Duration.ofNanos(System.nanoTime() - start);
      return new Result(
          pods, wall, revision(client) - revision, world.use().getFirst().since(before));
    }
  }

  /** Waits until all nodes are ready. */
  static void awaitNodes(ApiClient client) throws InterruptedException {
    while (!client.get("/api/v1/nodes").tree().trees("items").stream()
        .allMatch(node -> Condition.holds(node.tree("status"), "Ready"))) {
      Thread.sleep(BETWEEN_LOOKS);
    }
  }

  private static long revision(ApiClient client) {
    String text = client.get(JOBS + "?limit=1").tree().text("metadata", "resourceVersion");
    return Long.parseLong(text);
  }

  private static void awaitEnd(ApiClient client, long start) throws InterruptedException {
    Tree status = Tree.EMPTY;
    while (System.nanoTime() - start < PATIENCE.toNanos()) {
      status = require(client.get(JOBS + "/" + NAME)).tree().tree("status");
      if (Condition.holds(status, "Complete")) {
        return;
      }
      Thread.sleep(BETWEEN_LOOKS);
    }
    throw new FailedBenchmark(
        "the Job was not complete after %s: %s".formatted(GoDuration.format(PATIENCE), status));
  }

  private static ApiClient.Response require(ApiClient.Response answer) {
    if (!answer.ok()) {
      throw new FailedBenchmark("the server refused the Job: " + answer);
    }
    return answer;
  }
}
