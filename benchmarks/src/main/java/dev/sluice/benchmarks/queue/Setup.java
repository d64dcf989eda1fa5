package dev.sluice.benchmarks.queue;

import dev.sluice.benchmarks.world.ApiClient;
import dev.sluice.benchmarks.world.FailedBenchmark;
import dev.sluice.model.Condition;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** The set-up of the queues of a shape until they are active; none of that is measured. */
final class Setup {
  private static final int AT_ONCE = 32;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

  private final ApiClient client;

  Setup(ApiClient client) {
    this.client = client;
  }

  /** Returns the revision from which on to watch. */
  String prepare(Shape shape) throws InterruptedException {
    create("/resourceflavors", List.of(LoadObjects.flavor()));
    create("/cohorts", LoadObjects.cohorts(shape));
    create("/clusterqueues", LoadObjects.clusterQueues(shape));
    create("/namespaces/" + LoadObjects.NAMESPACE + "/localqueues", LoadObjects.localQueues(shape));
    awaitActive("/clusterqueues");
    awaitActive("/localqueues");
    return revision();
  }

  /** The revision of the newest write. */
  String revision() {
    return client
        .get(LoadObjects.WORKLOADS + "?limit=1")
        .tree()
        .text("metadata", "resourceVersion");
  }

  private void create(String collection, List<Tree> objects) throws InterruptedException {
    var places = new Semaphore(AT_ONCE);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var requests = new ArrayList<Future<ApiClient.Response>>();
      for (Tree object : objects) {
        places.acquire();
        requests.add(
            threads.submit(() -> {
              try {
                return client.create(LoadObjects.API + collection, object);
              } finally {
                places.release();
              }
            }));
      }
      for (Future<ApiClient.Response> request : requests) {
        require(collection, request);
      }
    }
  }

  private static void require(String collection, Future<ApiClient.Response> request)
      throws InterruptedException {
    try {
      ApiClient.Response answer = request.get();
      if (!answer.ok()) {
        throw new FailedBenchmark("the server refused one of %s: %s".formatted(collection, answer));
      }
    } catch (ExecutionException failed) {
      throw new FailedBenchmark("%s: %s".formatted(collection, failed.getCause()));
    }
  }

  private void awaitActive(String collection) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!allActive(client.get(LoadObjects.API + collection).tree())) {
      if (System.nanoTime() > end) {
        throw new FailedBenchmark("not all of %s got active".formatted(collection));
      }
      Thread.sleep(BETWEEN_LOOKS);
    }
  }

  private static boolean allActive(Tree list) {
    return list.trees("items").stream()
        .allMatch(queue -> Condition.holds(queue.tree("status"), "Active"));
  }
}
