package dev.sluice.benchmarks.queue;

import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The API objects of a load, as users write them. */
final class LoadObjects {
  static final String NAMESPACE = "default";
  static final String API = "/apis/kueue.x-k8s.io/v1beta2";
  static final String WORKLOADS = API + "/namespaces/" + NAMESPACE + "/workloads";
  private static final String VERSION = "kueue.x-k8s.io/v1beta2";
  private static final String FLAVOR = "bench";

  private LoadObjects() {}

  /** All objects that must exist before the first workload is created. */
  static List<Tree> queues(Shape shape) {
    var objects = new ArrayList<Tree>();
    objects.add(flavor());
    objects.addAll(cohorts(shape));
    objects.addAll(clusterQueues(shape));
    objects.addAll(localQueues(shape));
    return objects;
  }

  static List<Tree> cohorts(Shape shape) {
    return IntStream.range(0, shape.cohorts()).mapToObj(LoadObjects::cohort).toList();
  }

  static List<Tree> clusterQueues(Shape shape) {
    return IntStream.range(0, shape.queues())
        .mapToObj(queue -> clusterQueue(queue, queue / shape.queuesPerCohort()))
        .toList();
  }

  static List<Tree> localQueues(Shape shape) {
    return IntStream.range(0, shape.queues()).mapToObj(LoadObjects::localQueue).toList();
  }

  static String queueName(int number) {
    return "queue-" + number;
  }

  static Tree flavor() {
    return object("ResourceFlavor", FLAVOR, Tree.EMPTY);
  }

  private static Tree cohort(int number) {
    return object("Cohort", "cohort-" + number, Tree.EMPTY);
  }

  private static Tree clusterQueue(int number, int cohort) {
    Tree quota =
        Tree.of(
            "name",
            "cpu",
            "nominalQuota",
            Shape.NOMINAL_CPU,
            "borrowingLimit",
            Shape.BORROWING_LIMIT_CPU);
    Tree flavor = Tree.of("name", FLAVOR, "resources", List.of(quota));
    Tree group = Tree.of("coveredResources", List.of("cpu"), "flavors", List.of(flavor));
    return object(
        "ClusterQueue",
        queueName(number),
        Tree.of(
            "cohortName",
            "cohort-" + cohort,
            "namespaceSelector",
            Tree.EMPTY,
            "preemption",
            Tree.of("reclaimWithinCohort", "Any", "withinClusterQueue", "LowerPriority"),
            "resourceGroups",
            List.of(group)));
  }

  private static Tree localQueue(int number) {
    return namespaced(
        object("LocalQueue", queueName(number), Tree.of("clusterQueue", queueName(number))));
  }

  static Tree workload(Arrival arrival) {
    Tree requests = Tree.of("cpu", String.valueOf(arrival.kind().cpu()));
    Tree container =
        Tree.of("name", "main", "image", "none", "resources", Tree.of("requests", requests));
    Tree pod = Tree.of("containers", List.of(container), "restartPolicy", "Never");
    Tree podSet = Tree.of("name", "main", "count", 1, "template", Tree.of("spec", pod));
    Tree spec =
        Tree.of(
            "queueName",
            queueName(arrival.queue()),
            "priority",
            arrival.kind().priority(),
            "podSets",
            List.of(podSet));
    return namespaced(object("Workload", arrival.name(), spec));
  }

  private static Tree object(String kind, String name, Tree spec) {
    return Tree.of(
        "apiVersion", VERSION, "kind", kind, "metadata", Tree.of("name", name), "spec", spec);
  }

  private static Tree namespaced(Tree object) {
    return object.with(List.of("metadata", "namespace"), NAMESPACE);
  }
}
