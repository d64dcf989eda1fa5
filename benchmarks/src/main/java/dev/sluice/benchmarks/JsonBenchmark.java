package dev.sluice.benchmarks;

import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.SharedValues;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Objects as JSON bytes, as the store and the API server write them. docs/decisions/027 has figures
 * of it, beside those of a writer of our own that Jackson's generator replaced.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 2,
    jvmArgs = {"-XX:+UseCompactObjectHeaders", "-XX:+UseParallelGC", "-Xms512m", "-Xmx512m"})
public class JsonBenchmark {
  private static final int LISTED = 500;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: sample-7
        namespace: team-a
        uid: 7d1f7c6e-2f0b-4bb3-9d3a-0d3a3c5b7e10
        resourceVersion: "48211"
        creationTimestamp: "2026-01-01T00:00:00Z"
        generation: 1
        labels:
          batch.kubernetes.io/job-completion-index: "7"
          batch.kubernetes.io/job-name: sample
          kueue.x-k8s.io/queue-name: team-a
        ownerReferences:
        - {apiVersion: batch/v1, kind: Job, name: sample, uid: 1c2d, controller: true, blockOwnerDeletion: true}
        finalizers: [batch.kubernetes.io/job-tracking]
      spec:
        containers:
        - name: main
          image: registry.example.com/train:1.4
          command: [sh, -c, "echo \\"step $(INDEX)\\" && sleep 1\\n"]
          env: [{name: INDEX, value: "7"}, {name: MODE, value: großer Lauf}]
          resources: {requests: {cpu: "1", memory: 200Mi}, limits: {memory: 400Mi}}
          terminationMessagePath: /dev/termination-log
          terminationMessagePolicy: File
          imagePullPolicy: IfNotPresent
        nodeName: node-12
        restartPolicy: Never
        schedulerName: default-scheduler
        priority: 100
        serviceAccountName: default
        terminationGracePeriodSeconds: 30
        tolerations:
        - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
        - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
      status:
        phase: Running
        hostIP: 10.0.0.12
        podIP: 10.1.12.7
        startTime: "2026-01-01T00:00:01Z"
        conditions:
        - {type: PodScheduled, status: "True", lastTransitionTime: "2026-01-01T00:00:01Z"}
        - {type: Initialized, status: "True", lastTransitionTime: "2026-01-01T00:00:01Z"}
        - {type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:02Z"}
        containerStatuses:
        - {name: main, ready: true, restartCount: 0, started: true, state: {running: {startedAt: "2026-01-01T00:00:02Z"}}}
      """;

  private static final String WORKLOAD =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Workload
      metadata:
        name: job-sample-1f2e3
        namespace: team-a
        uid: 0b6a6f0e-9c53-4d0b-8a53-5f0d2c1b9e77
        resourceVersion: "48300"
        creationTimestamp: "2026-01-01T00:00:00Z"
        generation: 1
        labels: {kueue.x-k8s.io/job-uid: 1c2d}
        ownerReferences: [{apiVersion: batch/v1, kind: Job, name: sample, uid: 1c2d, controller: true}]
      spec:
        active: true
        queueName: team-a
        priority: 100
        podSets:
        - name: main
          count: 10
          template:
            spec:
              restartPolicy: Never
              containers:
              - {name: main, image: train, resources: {requests: {cpu: "1", memory: 200Mi}}}
      status:
        admission:
          clusterQueue: research
          podSetAssignments:
          - {name: main, count: 10, flavors: {cpu: spot, memory: spot}, resourceUsage: {cpu: "10", memory: 2000Mi}}
        conditions:
        - {type: QuotaReserved, status: "True", reason: QuotaReserved, message: Quota reserved in ClusterQueue research, observedGeneration: 1, lastTransitionTime: "2026-01-01T00:00:01Z"}
        - {type: Admitted, status: "True", reason: Admitted, message: The workload is admitted, observedGeneration: 1, lastTransitionTime: "2026-01-01T00:00:01Z"}
      """;

  @Param({"pod", "workload", "podList"})
  private String object = "pod";

  /** Whether parts are shared with other objects and keep their JSON, as in the store. */
  @Param({"false", "true"})
  private boolean shared;

  private Tree tree = Tree.EMPTY;

  @Setup
  public void read() {
    Tree read =
        switch (object) {
          case "pod" -> tree(POD);
          case "workload" -> tree(WORKLOAD);
          case "podList" -> list();
          default -> throw new IllegalArgumentException(object);
        };
    tree = shared ? shared(read) : read;
    if (!Json.parse(write()).equals(tree)) {
      throw new IllegalStateException("the " + object + " lost something when it was written");
    }
  }

  /** The second object with equal parts finds those of the first. */
  private static Tree shared(Tree tree) {
    var known = new SharedValues();
    known.share(tree, Tree.EMPTY);
    return tree.has("items")
        ? tree.with(
            "items",
            tree.trees("items").stream().map(item -> known.share(item, Tree.EMPTY)).toList())
        : known.share(tree, Tree.EMPTY);
  }

  private static Tree tree(String yaml) {
    return Yaml.parseAll(yaml).getFirst().asTree();
  }

  private static Tree list() {
    Tree pod = tree(POD);
    List<Tree> pods =
        IntStream.range(0, LISTED)
            .mapToObj(i -> pod.with(List.of("metadata", "name"), "sample-" + i))
            .toList();
    return Tree.of("apiVersion", "v1", "kind", "PodList", "items", pods);
  }

  @Benchmark
  public byte[] write() {
    return Json.bytes(tree);
  }
}
