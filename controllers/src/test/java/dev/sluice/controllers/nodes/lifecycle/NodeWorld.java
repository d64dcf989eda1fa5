package dev.sluice.controllers.nodes.lifecycle;

import static dev.sluice.testkit.Worlds.yaml;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.Event;
import dev.sluice.model.core.Lease;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;

/** Nodes and pods, and the controllers that look after nodes from which nothing is heard. */
final class NodeWorld implements AutoCloseable {
  final FakeCluster cluster = new FakeCluster(1);
  final VirtualDriver driver =
      Worlds.driver(cluster, 1, List.of(new NodeLifecycle(cluster), new TaintEviction(cluster)));

  void addNode(String name) {
    ApiObject node =
        yaml(
            """
            {apiVersion: v1, kind: Node, metadata: {name: %s}, status: {conditions: [
             {type: Ready, status: "True", lastHeartbeatTime: "2030-01-01T00:00:00Z"}]}}
            """
                .formatted(name));
    cluster.create(Kinds.NODE, node);
    Lease lease = Lease.of("kube-node-lease", name);
    cluster.create(
        Kinds.LEASE, lease.held(name, Duration.ofSeconds(40), cluster.time().now()).object());
  }

  void renew(String name) {
    Lease lease = new Lease(cluster.require(Kinds.LEASE.key("kube-node-lease", name)));
    cluster.update(
        Kinds.LEASE, lease.held(name, Duration.ofSeconds(40), cluster.time().now()).object());
  }

  /** Lets time pass in which some nodes live. */
  void pass30(int times, String... alive) {
    for (int i = 0; i < times; i++) {
      pass(30);
      for (String node : alive) {
        renew(node);
      }
      driver.settle();
    }
  }

  Pod addPod(String name, String node, String tolerations) {
    ApiObject pod =
        yaml(
            """
            {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default},
             spec: {nodeName: %s, tolerations: %s, terminationGracePeriodSeconds: 30},
             status: {phase: Running, conditions: [{type: Ready, status: "True"}]}}
            """
                .formatted(name, node, tolerations));
    ApiObject created = cluster.create(Kinds.POD, pod);
    return new Pod(cluster.patchStatus(Kinds.POD, created, pod.status()));
  }

  Pod pod(String name) {
    return new Pod(cluster.require(Kinds.POD.key("default", name)));
  }

  Node node(String name) {
    return new Node(cluster.require(Kinds.NODE.key(name)));
  }

  List<String> taints(String node) {
    return node(node).taints().stream()
        .map(taint -> taint.key().replace("node.kubernetes.io/", "") + ":" + taint.effect())
        .sorted()
        .toList();
  }

  List<String> messages(String reason) {
    return cluster.list(Kinds.EVENT).stream()
        .map(Event::new)
        .filter(event -> event.reason().equals(reason))
        .map(Event::message)
        .sorted()
        .toList();
  }

  void setReady(String name, String status) {
    Node node = node(name);
    Tree changed =
        node.object()
            .status()
            .with("conditions", List.of(Tree.of("type", "Ready", "status", status)));
    cluster.patchStatus(Kinds.NODE, node.object(), changed);
    driver.settle();
  }

  void taint(String name, String key, String effect) {
    taint(name, List.of(new Taint(key, "", effect)));
  }

  void taint(String name, List<Taint> taints) {
    ApiObject node = cluster.require(Kinds.NODE.key(name));
    cluster.update(Kinds.NODE, new Node(node).withTaints(taints).object());
    driver.settle();
  }

  void pass(int seconds) {
    Worlds.pass(driver, cluster, Duration.ofSeconds(seconds));
  }

  @Override
  public void close() {
    driver.close();
  }
}
