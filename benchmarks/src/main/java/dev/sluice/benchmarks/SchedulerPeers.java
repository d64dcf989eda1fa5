package dev.sluice.benchmarks;

import dev.sluice.benchmarks.world.ApiClient;
import dev.sluice.benchmarks.world.FailedBenchmark;
import dev.sluice.benchmarks.world.ServerUse;
import dev.sluice.benchmarks.world.SluiceServer;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.model.ApiObject;
import dev.sluice.model.GoDuration;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.BoundedParallel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The comparison with kube-scheduler: the same nodes and pods for both, each with a kube-apiserver
 * of its own. All pods are pending before the scheduler starts. The time is measured by a watch,
 * from the first binding to the last, so that neither pays for its start.
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

  /** The result of one of them. */
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
  Result kubeScheduler() {
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

  Result ours() {
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

  /** A running scheduler. */
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

  private Result measure(RealKubernetes kubernetes, Starter starter) {
    try (var client = new ApiClient(kubernetes.kubeconfig())) {
      createAll(client, "/api/v1/nodes", run.nodeObjects());
      createAll(client, PODS, run.podObjects().stream().map(SchedulerPeers::tolerant).toList());
      String revision = client.get(PODS + "?limit=1").tree().text("metadata", "resourceVersion");
      var bound = new CompletableFuture<Duration>();
      Thread.ofVirtual().start(() -> follow(client, revision, bound));
      try (Started scheduler = starter.start()) {
        Duration wall = bound.join();
        return new Result(run.pods(), wall, ServerUse.of(scheduler.name(), scheduler.process()));
      } catch (CompletionException failed) {
        throw failed.getCause() instanceof FailedBenchmark why ? why : failed;
      }
    }
  }

  /** A new node is tainted until it is ready, but here no kubelet would ever report that. */
  private static ApiObject tolerant(ApiObject pod) {
    return pod.with(List.of("spec", "tolerations"), List.of(Tree.of("operator", "Exists")));
  }

  private static void createAll(ApiClient client, String collection, List<ApiObject> objects) {
    new BoundedParallel(REQUESTS_AT_ONCE)
        .run(
            objects.stream()
                .<Runnable>map(object -> () -> create(client, collection, object))
                .toList());
  }

  private static void create(ApiClient client, String collection, ApiObject object) {
    ApiClient.Response answer = client.create(collection, object.tree());
    if (!answer.ok()) {
      throw new FailedBenchmark("kube-apiserver refused %s: %s".formatted(object.path(), answer));
    }
  }

  /** Watches until every pod has a node; a server may end a watch at any time, for reasons. */
  private void follow(ApiClient client, String since, CompletableFuture<Duration> all) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    var seen = new Seen(since);
    try {
      while (seen.bound.size() < run.pods()) {
        if (System.nanoTime() > end) {
          throw new FailedBenchmark(
              "after %s only %d of %d pods had a node"
                  .formatted(GoDuration.format(PATIENCE), seen.bound.size(), run.pods()));
        }
        String path = PODS + "?watch=1&timeoutSeconds=60&resourceVersion=" + seen.revision;
        read(client.watch(path), seen);
      }
      all.complete(Duration.ofNanos(seen.last - seen.first));
    } catch (IOException | RuntimeException failed) {
      all.completeExceptionally(failed);
    }
  }

  private void read(InputStream events, Seen seen) throws IOException {
    try (var lines = new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null) {
        seen.add(Json.parse(line).asTree());
        line = seen.bound.size() < run.pods() ? lines.readLine() : null;
      }
    }
  }

  /** The events of a watch so far. */
  private static final class Seen {
    private final HashSet<String> bound = new HashSet<>();
    private String revision;
    private long first;
    private long last;

    Seen(String revision) {
      this.revision = revision;
    }

    void add(Tree event) {
      if (event.text("type").equals("ERROR")) {
        throw new FailedBenchmark("the watch of the pods failed: " + event.tree("object"));
      }
      Tree pod = event.tree("object");
      revision = pod.text("metadata", "resourceVersion");
      if (!pod.text("spec", "nodeName").isEmpty() && bound.add(pod.text("metadata", "name"))) {
        last = System.nanoTime();
        first = first == 0 ? last : first;
      }
    }
  }
}
