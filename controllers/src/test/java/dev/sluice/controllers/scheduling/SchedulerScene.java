package dev.sluice.controllers.scheduling;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.yaml;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;

/** A world for tests with nodes, pods and a scheduler, which can be stopped and started anew. */
final class SchedulerScene implements AutoCloseable {
  final FakeCluster cluster = new FakeCluster(1);
  private VirtualDriver driver;

  SchedulerScene() {
    this.driver = driver(cluster, 1, List.of(new PodScheduler(cluster)));
  }

  /** Another scheduler goes on with what is there. */
  void startAnew(PodScheduler scheduler) {
    driver.close();
    driver = driver(cluster, 1, List.of(scheduler));
  }

  @Override
  public void close() {
    driver.close();
  }

  void settle() {
    driver.settle();
  }

  void pass(long seconds) {
    Worlds.pass(driver, cluster, Duration.ofSeconds(seconds));
  }

  void addNode(String name, int cpu) {
    ApiObject node =
        yaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s}
            status:
              allocatable: {cpu: %d, memory: 8Gi, pods: 110}
              conditions: [{type: Ready, status: "True"}]
            """
                .formatted(name, cpu));
    cluster.create(Kinds.NODE, node);
  }

  /** The same with more fields of its spec. */
  void addPod(String name, int cpu, Tree more) {
    ApiObject pod =
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              schedulerName: default-scheduler
              containers: [{name: a, resources: {requests: {cpu: %d}}}]
            """
                .formatted(name, cpu));
    Tree spec = pod.spec();
    for (String field : more.names()) {
      spec = spec.with(field, more.at(field));
    }
    cluster.create(Kinds.POD, pod.withSpec(spec));
  }

  void addPod(String name, int cpu) {
    addPod(name, cpu, Tree.EMPTY);
  }

  Pod pod(String name) {
    return new Pod(cluster.require(Kinds.POD.key("default", name)));
  }
}
