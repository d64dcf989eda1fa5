package dev.sluice.simulator.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.simulator.VirtualWorld;
import dev.sluice.simulator.scenario.Scenario;
import dev.sluice.simulator.scenario.ScenarioStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A snapshot is restored as the cluster was, without what no decision reads. */
final class SnapshotTest {
  private static final Duration BEFORE = Duration.ofMinutes(12);

  private static final String CLUSTER =
      """
      {apiVersion: v1, kind: Node, metadata: {name: n1, annotations: {kwok.x-k8s.io/node: fake}},
       status: {allocatable: {cpu: "8", memory: 32Gi, pods: "50"}}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: plain}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: urgent}, value: 9}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: team}
      spec:
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: plain, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq, namespace: default},
       spec: {clusterQueue: team}}
      """;

  private static String job(int number, String duration) {
    return """
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: job-%02d, namespace: default, labels: {kueue.x-k8s.io/queue-name: lq}}
    spec:
      parallelism: %d
      completions: %d
      template:
        metadata: {annotations: {%s}}
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: busybox
            command: [run, --password=s3cret]
            env: [{name: TOKEN, value: s3cret}]
            resources: {requests: {cpu: 1}}
    """
        .formatted(number, 1 + number % 3, 1 + number % 3, duration);
  }

  /** The admissions in order, each with the time since the snapshot. */
  private static final class Admissions implements DecisionLog {
    private final List<String> lines = new ArrayList<>();
    private final Instant begin;

    Admissions(Instant begin) {
      this.begin = begin;
    }

    @Override
    public void decided(Instant at, AdmissionDecision decision) {
      if (decision instanceof AdmissionDecision.Admit) {
        lines.add(Duration.between(begin, at).toSeconds() + " s " + decision.workload().path());
      }
    }

    @Override
    public void broken(Instant at, String invariant) {
      throw new AssertionError(invariant);
    }
  }

  private static List<ApiObject> all(VirtualWorld world) {
    return Snapshot.KINDS.stream().flatMap(kind -> world.cluster().list(kind).stream()).toList();
  }

  /** A cluster after some time, and what it admits later. */
  private record Past(Snapshot snapshot, List<String> later) {}

  private static final Past PAST = past();

  private static Past past() {
    var yaml = new StringBuilder(CLUSTER);
    for (int i = 0; i < 12; i++) {
      yaml.append(job(i, "sluice.dev/duration: " + (3 + 2 * i) + "m"));
    }
    try (var world = new VirtualWorld(1, Configuration.DEFAULT)) {
      Scenario.parse(yaml.toString()).steps().forEach(step -> world.create(step.object()));
      world.runFor(new Admissions(VirtualWorld.START), BEFORE);
      Instant now = VirtualWorld.START.plus(BEFORE);
      Snapshot snapshot = Snapshot.of(all(world), now);
      var later = new Admissions(now);
      world.runFor(later, Duration.ofHours(9));
      return new Past(snapshot, later.lines);
    }
  }

  @Test
  void restoredClusterTakesTheSameDecisions() {
    var later = new Admissions(VirtualWorld.START);
    try (var world = new VirtualWorld(7, Configuration.DEFAULT)) {
      for (ScenarioStep step : Scenario.parse(PAST.snapshot().yaml()).steps()) {
        world.restore(
            step.object().withoutAnnotation(ScenarioStep.TAKEN), step.taken().orElseThrow());
      }
      world.runFor(later, Duration.ofHours(9));
    }

    assertThat(PAST.later()).hasSizeGreaterThan(4);
    assertThat(later.lines).isEqualTo(PAST.later());
  }

  @Test
  void snapshotHasNoCommandsAndNoEnvironment() {
    String yaml = PAST.snapshot().yaml();

    assertThat(yaml)
        .contains("job-11", "kind: Workload", "do: restore")
        .doesNotContain("s3cret", "TOKEN", "command", "env:");
  }

  @Test
  void snapshotKeepsTheLastOfTheEndedJobs() {
    var objects = new ArrayList<ApiObject>();
    for (int i = 0; i < Snapshot.MAX_ENDED + 3; i++) {
      Tree done = Tree.of("type", "Complete", "status", "True");
      Instant end = VirtualWorld.START.plusSeconds(i);
      objects.add(
          ApiObject.of(Kinds.JOB, "n", "j" + i)
              .withMetadata("uid", "uid-" + i)
              .withStatus(
                  Tree.of(
                      "completionTime",
                      Timestamps.format(end),
                      "conditions",
                      Items.of(List.of(done)))));
    }

    Snapshot snapshot = Snapshot.of(objects, VirtualWorld.START);

    assertThat(snapshot.left()).isEqualTo(3);
    assertThat(snapshot.objects()).extracting(ApiObject::name).doesNotContain("j0", "j1", "j2");
  }
}
