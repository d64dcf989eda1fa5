package dev.sluice.benchmarks.jobs;

import dev.sluice.model.tree.Tree;
import java.util.List;

/** An Indexed Job for simulated nodes, all of whose pods may run at once. */
final class LargeJob {
  static final String COLLECTION = "/apis/batch/v1/namespaces/default/jobs";

  /** As many as kubelets take by default. */
  static final long PODS_PER_NODE = 110;

  /** As many as Kubernetes lets one Indexed Job run at once. */
  static final long MOST_PODS = 100_000;

  private LargeJob() {}

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
