package dev.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Invariants that hold at every instant, for any input and any stop of the controllers. */
@Timeout(120)
class VirtualWorldTest {
  private static final int ROUNDS = 40;
  private static final long QUOTA_MILLIS = 6_000;

  private final long seed = Long.getLong("seed", System.nanoTime());

  @Test
  void quotaHoldsAtEveryInstantAndEveryJobCompletesInTheEnd() {
    for (int round = 0; round < ROUNDS; round++) {
      long roundSeed = seed + round;
      try (var world = new VirtualWorld(roundSeed, Configuration.DEFAULT)) {
        submit(world, new SplittableRandom(roundSeed));
        watchPromises(world.cluster(), roundSeed);

        world.run(DecisionLog.NONE);

        assertAllComplete(world.cluster(), roundSeed);
      }
    }
  }

  @Test
  void controllersMayStopBetweenAnyTwoThingsTheyDo() {
    for (int round = 0; round < ROUNDS; round++) {
      long roundSeed = seed + round;
      var random = new SplittableRandom(roundSeed);
      try (var world = new VirtualWorld(roundSeed, Configuration.DEFAULT)) {
        submit(world, random);
        watchPromises(world.cluster(), roundSeed);

        boolean done = false;
        for (int life = 0; life < 20 && !done; life++) {
          done = world.run(DecisionLog.NONE, 1 + random.nextInt(60));
        }
        world.run(DecisionLog.NONE);

        assertAllComplete(world.cluster(), roundSeed);
      }
    }
  }

  private static void submit(VirtualWorld world, SplittableRandom random) {
    Yaml.parseAll(
            """
            {apiVersion: v1, kind: Node, metadata: {name: n, annotations: {kwok.x-k8s.io/node: fake}},
             status: {capacity: {cpu: 64, pods: 500}, allocatable: {cpu: 64, pods: 500}}}
            ---
            {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: cq}
            spec:
              namespaceSelector: {}
              resourceGroups:
              - coveredResources: [cpu]
                flavors: [{name: f, resources: [{name: cpu, nominalQuota: 6}]}]
            ---
            {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq},
             spec: {clusterQueue: cq}}
            """)
        .forEach(object -> world.create(ApiObject.of(object)));
    int jobs = 1 + random.nextInt(8);
    for (int i = 0; i < jobs; i++) {
      world.create(job("j" + i, random));
    }
  }

  private static ApiObject job(String name, SplittableRandom random) {
    Tree container =
        Tree.of(
            "name",
            "c",
            "image",
            "i",
            "resources",
            Tree.of("requests", Tree.of("cpu", (500 + random.nextInt(1500)) + "m")));
    Tree template =
        Tree.of(
            "metadata",
            Tree.of("annotations", Tree.of("sluice.dev/duration", random.nextInt(30) + "s")),
            "spec",
            Tree.of("restartPolicy", "Never", "containers", List.of(container)));
    Tree spec =
        Tree.of(
            "template",
            template,
            "parallelism",
            1 + random.nextInt(3),
            "completions",
            1 + random.nextInt(5));
    return ApiObject.of(Kinds.JOB, "default", name)
        .withLabel("kueue.x-k8s.io/queue-name", "lq")
        .withSpec(spec);
  }

  private static void watchPromises(Cluster cluster, long seed) {
    cluster.watch(Kinds.WORKLOAD, event -> assertQuotaHolds(cluster, seed));
    cluster.watch(Kinds.POD, event -> assertPodsWereAdmitted(cluster, seed));
  }

  private static void assertQuotaHolds(Cluster cluster, long seed) {
    long used =
        cluster.list(Kinds.WORKLOAD).stream()
            .map(Workload::new)
            .filter(workload -> !workload.finished())
            .flatMap(workload -> workload.admission().stream())
            .flatMap(admission -> admission.assignments().stream())
            .mapToLong(assignment -> assignment.usage().get("cpu"))
            .sum();
    assertThat(used).as("seed %d: cpu reserved", seed).isLessThanOrEqualTo(QUOTA_MILLIS);
  }

  /** What runs is never more than what was admitted for it. */
  private static void assertPodsWereAdmitted(Cluster cluster, long seed) {
    long running =
        cluster.list(Kinds.POD).stream()
            .map(Pod::new)
            .filter(pod -> !pod.isTerminal())
            .mapToLong(pod -> pod.spec().requests().get("cpu"))
            .sum();
    assertThat(running).as("seed %d: cpu of living pods", seed).isLessThanOrEqualTo(QUOTA_MILLIS);
  }

  private static void assertAllComplete(Cluster cluster, long seed) {
    for (ApiObject object : cluster.list(Kinds.JOB)) {
      var job = new Job(object);
      assertThat(job.status().holds(JobStatus.COMPLETE)).as("seed %d: %s", seed, object).isTrue();
      assertThat(job.status().succeeded()).isEqualTo(job.completions().orElseThrow());
    }
    for (ApiObject workload : cluster.list(Kinds.WORKLOAD)) {
      assertThat(new Workload(workload).finished()).as("seed %d: %s", seed, workload).isTrue();
    }
  }
}
