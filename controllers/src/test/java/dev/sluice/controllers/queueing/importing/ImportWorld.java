package dev.sluice.controllers.queueing.importing;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.QueueMapping;
import dev.sluice.controllers.configuration.QueueMappingFile;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A cluster with the LocalQueue lq of the ClusterQueue cq, which has 4 cpus, and running pods to
 * import.
 */
final class ImportWorld {
  final QueueWorld queues =
      new QueueWorld().clusterQueue("cq", "", 4).localQueue("default", "lq", "cq");
  final FakeCluster cluster = queues.cluster;

  QueueMapping mapping = QueueMapping.byLabel("team", new TreeMap<>(Map.of("red", "lq")));
  SortedMap<String, String> labels = new TreeMap<>();
  Configuration configuration = Configuration.DEFAULT;

  void rules(String yaml) {
    mapping = QueueMappingFile.read(yaml);
  }

  /** A running pod of the red team that requests one cpu. */
  Pod pod(String name, UnaryOperator<ApiObject> change) {
    ApiObject pod =
        Worlds.yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default, labels: {team: red}}
            spec:
              nodeName: n
              containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]
            """
                .formatted(name));
    var made = new Pod(cluster.create(Kinds.POD, change.apply(pod)));
    Worlds.setPhase(cluster, made, Pod.Phase.RUNNING);
    return pod(name);
  }

  Pod pod(String name) {
    return new Pod(cluster.require(Kinds.POD.key("default", name)));
  }

  private PodImport podImport() {
    return new PodImport(
        cluster, new ImportTerms(List.of("default"), mapping, labels, configuration, 8));
  }

  ImportReport check() {
    return podImport().check();
  }

  ImportReport run() {
    return podImport().run();
  }

  List<Workload> workloads() {
    return cluster.list(Kinds.WORKLOAD).stream().map(Workload::new).toList();
  }

  boolean isMarked(String pod) {
    return pod(pod).object().label(KueueNames.MANAGED).equals("true");
  }

  /** Runs all controllers of queueing for some seconds, as a new manager does. */
  void manage() {
    var controllers =
        ControllerSet.of(Set.of(Group.QUEUEING), cluster, DecisionLog.NONE, configuration);
    try (var driver = Worlds.driver(cluster, 3, controllers)) {
      Worlds.pass(driver, cluster, Duration.ofSeconds(10));
    }
  }
}
