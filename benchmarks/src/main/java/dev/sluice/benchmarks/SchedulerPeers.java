package dev.sluice.benchmarks;

import dev.sluice.benchmarks.world.ApiClient;
import dev.sluice.benchmarks.world.ServerUse;
import dev.sluice.benchmarks.world.SluiceServer;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.SideBySide;
import dev.sluice.testkit.RealKubernetes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The same nodes and pods for kube-scheduler and for ours, each beside a kube-apiserver of its own.
 * All pods wait before the scheduler starts. How long it takes is what a watch shows, from the
 * first binding to the last, so that neither pays for its start.
 */
final class SchedulerPeers {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final int REQUESTS_AT_ONCE = 16;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Path binaries;
  private final SchedulerRun run;

  SchedulerPeers(Path binaries, SchedulerRun run) {
    this.binaries = binaries;
    this.run = run;
  }

  /** What one of them took. */
  record Result(int pods, Duration wall, ServerUse use) {

    double rate() {
      return pods / (wall.toNanos() / 1e9);
    }

    String text() {
      return "%-15s %,8.0f pods/s %6.0f us of cpu a pod"
          .formatted(use.name(), rate(), use.cpu().toNanos() / 1e3 / pods);
    }
  }

  /** Without the throttle of its client, which would hold it to 50 requests a second. */
  Result kubeScheduler() throws InterruptedException {
    try (RealKubernetes kubernetes = RealKubernetes.start(binaries)) {
      return measure(
          kubernetes,
          () -> {
            kubernetes.start(
                RealKubernetes.Part.SCHEDULER, "--kube-api-qps=100000", "--kube-api-burst=100000");
            return new Started("kube-scheduler", kubeSchedulerProcess(), () -> {});
          });
    }
  }

  Result ours() throws InterruptedException {
    try (RealKubernetes kubernetes = RealKubernetes.start(binaries)) {
      return measure(
          kubernetes,
          () -> {
            var server =
                new SluiceServer(
                    new SluiceServer.Options(List.of(), List.of()),
                    "manager",
                    "--kubeconfig",
                    kubernetes.kubeconfig().toString(),
                    "--controllers",
                    "scheduling",
                    "--no-leader-elect");
            return new Started("sluice manager", server.handle(), server::close);
          });
    }
  }

  private static ProcessHandle kubeSchedulerProcess() {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().command().orElse("").endsWith("/kube-scheduler"))
        .findFirst()
        .orElseThrow(() -> new FailedBenchmark("kube-scheduler ended at once"));
  }

  /** A scheduler that runs. */
  private record Started(String name, ProcessHandle process, Runnable end)
      implements AutoCloseable {
    @Override
    public void close() {
      end.run();
    }
  }

  /** How to start a scheduler. */
  private interface Starter {
    Started start();
  }

  private Result measure(RealKubernetes kubernetes, Starter starter) throws InterruptedException {
    try (var client = new ApiClient(kubernetes.kubeconfig())) {
      createAll(client, "/api/v1/nodes", run.nodeObjects());
      createAll(client, PODS, run.podObjects().stream().map(SchedulerPeers::tolerant).toList());
      String revision = client.get(PODS + "?limit=1").tree().text("metadata", "resourceVersion");
      InputStream events =
          client.watch(
              "%s?watch=1&resourceVersion=%s&timeoutSeconds=%d"
                  .formatted(PODS, revision, PATIENCE.toSeconds()));
      var bound = new CompletableFuture<Duration>();
      Thread.ofVirtual().start(() -> follow(events, bound));
      try (Started scheduler = starter.start()) {
        Duration wall = bound.join();
        return new Result(run.pods(), wall, ServerUse.of(scheduler.name(), scheduler.process()));
      } catch (CompletionException failed) {
        throw failed.getCause() instanceof FailedBenchmark why ? why : failed;
      }
    }
  }

  /** A new node is tainted until it is ready, which nobody would ever say here. */
  private static ApiObject tolerant(ApiObject pod) {
    return pod.with(List.of("spec", "tolerations"), List.of(Tree.of("operator", "Exists")));
  }

  private static void createAll(ApiClient client, String collection, List<ApiObject> objects) {
    new SideBySide(REQUESTS_AT_ONCE)
        .run(
            objects.stream()
                .<Runnable>map(object -> () -> create(client, collection, object))
                .toList());
  }

  private static void create(ApiClient client, String collection, ApiObject object) {
    try {
      ApiClient.Answer answer = client.create(collection, object.tree());
      if (!answer.ok()) {
        throw new FailedBenchmark("kube-apiserver refused %s: %s".formatted(object.path(), answer));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new FailedBenchmark("interrupted while creating " + object.path());
    }
  }

  /** Reads until every pod has a node. */
  private void follow(InputStream events, CompletableFuture<Duration> all) {
    var bound = new HashSet<String>();
    long first = 0;
    try (var lines = new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8))) {
      String line = "";
      while (bound.size() < run.pods() && line != null) {
        line = lines.readLine();
        Tree pod = line == null ? Tree.EMPTY : Json.parse(line).asTree().tree("object");
        if (!pod.text("spec", "nodeName").isEmpty()) {
          bound.add(pod.text("metadata", "name"));
          first = first == 0 ? System.nanoTime() : first;
        }
      }
      if (bound.size() < run.pods()) {
        throw new FailedBenchmark(
            "after %s only %d of %d pods had a node".formatted(PATIENCE, bound.size(), run.pods()));
      }
      all.complete(Duration.ofNanos(System.nanoTime() - first));
    } catch (IOException broken) {
      all.completeExceptionally(new UncheckedIOException("the watch broke", broken));
    } catch (RuntimeException failed) {
      all.completeExceptionally(failed);
    }
  }
}
