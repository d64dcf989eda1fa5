package dev.sluice.benchmarks;

import dev.sluice.apiserver.cluster.EmbeddedCluster;
import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.benchmarks.world.FailedBenchmark;
import dev.sluice.controllers.scheduling.PodScheduler;
import dev.sluice.engine.scheduling.DisruptionBudgets;
import dev.sluice.engine.scheduling.Scheduler;
import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.framework.Placement;
import dev.sluice.engine.scheduling.queue.QueuedPod;
import dev.sluice.engine.scheduling.queue.SchedulingQueue;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.runtime.VirtualTime;
import dev.sluice.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A run in which all pods are pending at once: how long it takes until each has a node.
 *
 * @param nodes of 32 cpus each, in three zones
 * @param pods of one cpu each; every ten request a little more memory than the ten before, in a
 *     circle
 */
record SchedulerRun(int nodes, int pods) {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  SchedulerRun {
    if (nodes < 1 || pods < 1 || pods > nodes * 30L) {
      throw new FailedBenchmark(
          "%d pods do not fit on %d nodes: give at least one of each, and at most 30 pods a node"
              .formatted(pods, nodes));
    }
  }

  /** The decisions alone: from a pod's object to the name of its node. */
  Duration decisions() {
    var state = new ClusterState();
    for (ApiObject node : nodeObjects()) {
      state.putNode(state.read(new Node(node)));
    }
    var scheduler = new Scheduler(state, new DisruptionBudgets(), bound -> 0);
    var queue = new SchedulingQueue(state);
    List<ApiObject> waiting = podObjects();

    long began = System.nanoTime();
    for (ApiObject pod : waiting) {
      queue.add(state.read(new Pod(pod)), START);
    }
    for (Optional<QueuedPod> next = queue.pop(START); next.isPresent(); next = queue.pop(START)) {
      if (!(scheduler.place(next.get().pod()) instanceof Placement.OnNode(String node))) {
        throw new FailedBenchmark(next.get().key() + " found no node");
      }
      state.place(next.get().pod(), node);
      queue.placed(next.get(), START);
    }
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** The whole controller: from the watch to bindings in the store of an embedded cluster. */
  Duration bindings() {
    var time = new VirtualTime(START);
    var random = new SplittableRandom(1);
    try (var store = Stores.inMemory();
        var registry = new StoreRegistry(store, time, random.split(), List.of())) {
      registry.bootstrap();
      var cluster = new EmbeddedCluster(registry, store, time, random.split());
      try (var driver =
          new VirtualDriver(cluster, time, random.split(), List.of(new PodScheduler(cluster)))) {
        driver.start();
        nodeObjects().forEach(node -> cluster.create(Kinds.NODE, node));
        driver.settle();
        podObjects().forEach(pod -> cluster.create(Kinds.POD, pod));

        long began = System.nanoTime();
        driver.settle();
        var took = Duration.ofNanos(System.nanoTime() - began);
        requireBound(cluster);
        return took;
      }
    }
  }

  private static void requireBound(Cluster cluster) {
    for (ApiObject pod : cluster.list(Kinds.POD)) {
      if (!new Pod(pod).isBound()) {
        throw new FailedBenchmark(pod.path() + " found no node");
      }
    }
  }

  List<ApiObject> nodeObjects() {
    var objects = new ArrayList<ApiObject>();
    for (int i = 0; i < nodes; i++) {
      objects.add(
          yaml(
              """
              apiVersion: v1
              kind: Node
              metadata:
                name: node-%05d
                labels: {topology.kubernetes.io/zone: zone-%d}
              status:
                allocatable: {cpu: 32, memory: 256Gi, pods: 110}
                conditions: [{type: Ready, status: "True"}]
              """
                  .formatted(i, i % 3)));
    }
    return objects;
  }

  List<ApiObject> podObjects() {
    List<ApiObject> shapes = new ArrayList<>();
    for (int shape = 0; shape < 10; shape++) {
      shapes.add(
          yaml(
              """
              apiVersion: v1
              kind: Pod
              metadata: {name: pod, namespace: default}
              spec:
                restartPolicy: Never
                containers:
                - {name: main, image: busybox, resources: {requests: {cpu: 1, memory: %dMi}}}
              """
                  .formatted(512 + shape)));
    }
    var objects = new ArrayList<ApiObject>();
    for (int i = 0; i < pods; i++) {
      ApiObject shape = shapes.get(i / 10 % 10);
      objects.add(shape.withMetadata("name", "pod-%06d".formatted(i)));
    }
    return objects;
  }

  private static ApiObject yaml(String text) {
    return ApiObject.of(Yaml.parseAll(text).getFirst());
  }
}
