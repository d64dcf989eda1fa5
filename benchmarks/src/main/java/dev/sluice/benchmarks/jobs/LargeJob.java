package dev.sluice.benchmarks.jobs;

import dev.sluice.benchmarks.world.SluiceServer;
import dev.sluice.cli.UserError;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** An Indexed Job for simulated nodes, all of whose pods may run at once. */
final class LargeJob {
  static final String COLLECTION = "/apis/batch/v1/namespaces/default/jobs";

  /** The default limit of a kubelet. */
  static final long PODS_PER_NODE = 110;

  /** The number of pods that Kubernetes lets one Indexed Job run at once. */
  static final long MAX_PODS = 100_000;

  /** The divisors of the largest run, to show what grows with its size. */
  static final List<Long> PARTS = List.of(100L, 10L, 1L);

  private LargeJob() {}

  /** Rejects numbers of pods and nodes that cannot be measured. */
  static void checkRoom(long pods, long nodes) {
    if (pods < 100 || nodes < 1 || pods > nodes * PODS_PER_NODE) {
      throw UserError.usage(
          "--pods %d on --nodes %d: there must be at least 100 pods, and at most %d on a node"
              .formatted(pods, nodes, PODS_PER_NODE));
    }
  }

  /** A server with so many simulated nodes. */
  static SluiceServer.Options server(List<String> javaOptions, long nodes) {
    return new SluiceServer.Options(
        javaOptions, List.of("--simulated-nodes", nodes + ":cpu=32,memory=256Gi"));
  }

  /**
   * The Job as a client writes it.
   *
   * @param annotations of its pods
   */
  static Tree of(String name, long pods, Tree annotations) {
    Tree toleration = Tree.of("key", "kwok.x-k8s.io/node", "operator", "Exists");
    Tree requests = Tree.of("cpu", "100m", "memory", "128Mi");
    Tree container =
        Tree.of("name", "main", "image", "none", "resources", Tree.of("requests", requests));
    Tree pod =
        Tree.of(
            "containers",
            List.of(container),
            "restartPolicy",
            "Never",
            "tolerations",
            List.of(toleration));
    Tree template = Tree.of("metadata", Tree.of("annotations", annotations), "spec", pod);
    Tree spec =
        Tree.of(
            "completionMode",
            "Indexed",
            "completions",
            pods,
            "parallelism",
            pods,
            "template",
            template);
    return Tree.of(
        "apiVersion", "batch/v1", "kind", "Job", "metadata", Tree.of("name", name), "spec", spec);
  }
}
