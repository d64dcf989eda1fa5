package dev.sluice.controllers.nodes.local;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.ContainerStatus;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/** A local node whose containers follow a script, and one pod on it, {@code p}. */
final class LocalWorld implements AutoCloseable {
  static final ObjectKey POD = Kinds.POD.key("default", "p");
  private static final LocalMachine MACHINE =
      new LocalMachine(
          "local", "127.0.0.1", "here", 1000, 1000, Tree.of("cpu", "2"), new TreeMap<>());

  final FakeCluster cluster = new FakeCluster(1);
  final FakeContainers containers = new FakeContainers(cluster);
  private final VirtualDriver driver =
      Worlds.driver(cluster, 1, List.of(new LocalPods(cluster, MACHINE, containers)));

  void create(String spec) {
    ApiObject pod =
        Worlds.yaml(
            "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default}, spec: {nodeName:"
                + " local, "
                + spec
                + "}}");
    cluster.create(Kinds.POD, pod);
  }

  /** Creates a pod of one container that always restarts, with more fields of the container. */
  void createContainer(String fields) {
    create(
        "restartPolicy: Always, containers: [{name: main, image: b, command: [work], %s}]"
            .formatted(fields));
  }

  void pass(int seconds) {
    Worlds.pass(driver, cluster, Duration.ofSeconds(seconds));
  }

  Pod pod() {
    return new Pod(cluster.require(POD));
  }

  ContainerStatus container(String name) {
    return pod().status().containers().stream()
        .filter(status -> status.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  List<String> reasons() {
    return Worlds.reasons(cluster, "p");
  }

  @Override
  public void close() {
    driver.close();
  }
}
