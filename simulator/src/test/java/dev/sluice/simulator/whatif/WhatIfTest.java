package dev.sluice.simulator.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import dev.sluice.simulator.VirtualWorld;
import dev.sluice.simulator.report.Comparison.Shift;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.run.RunOptions;
import dev.sluice.simulator.run.ScenarioRun;
import dev.sluice.simulator.scenario.Scenario;
import dev.sluice.simulator.snapshot.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The future of a snapshot is the future of the cluster that it was taken of. */
final class WhatIfTest {
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

  private static final String MORE_QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: team}
      spec:
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: plain, resources: [{name: cpu, nominalQuota: 8}]}]
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
        lines.add(line(Duration.between(begin, at), decision.workload().path()));
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

  private static RunResult play(Scenario scenario, String variant) {
    return ScenarioRun.of(
        scenario, variant, 7, RunOptions.DEFAULT.withHorizon(Duration.ofHours(9)));
  }

  private static List<String> admissions(RunResult run) {
    return run.decisions().stream()
        .filter(decision -> decision.text("decision").equals("Admit"))
        .map(WhatIfTest::line)
        .toList();
  }

  private static String line(Tree decision) {
    Instant at = Instant.parse(decision.text("at"));
    return line(Duration.between(VirtualWorld.START, at), decision.text("workload"));
  }

  /** Times of objects are whole seconds, so nothing finer is restored. */
  private static String line(Duration since, String workload) {
    return since.toSeconds() + " s " + workload;
  }

  @Test
  void unchangedFutureIsThatOfTheCluster() {
    Present present = new Present(Scenario.parse(PAST.snapshot().yaml()));

    WhatIf answer = WhatIf.of(present, List.of(), WhatIfTest::play);

    assertThat(PAST.later()).hasSizeGreaterThan(4);
    assertThat(admissions(answer.without())).isEqualTo(PAST.later());
    assertThat(answer.without().refusals()).isEmpty();
    assertThat(answer.comparison().shifts()).isEmpty();
  }

  @Test
  void moreQuotaStartsJobsEarlier() {
    Present present = new Present(Scenario.parse(PAST.snapshot().yaml()));

    WhatIf answer = WhatIf.of(present, Scenario.parse(MORE_QUOTA).steps(), WhatIfTest::play);

    // In another order of admissions a single job may start later.
    assertThat(answer.comparison().earlier())
        .hasSizeGreaterThan(answer.comparison().later().size())
        .extracting(Shift::queue)
        .containsOnly("team");
    assertThat(answer.with().jobs()).allMatch(job -> job.isEnded());
  }

  @Test
  void urgentJobOfAChangeEvictsAnother() {
    Present present = new Present(Scenario.parse(PAST.snapshot().yaml()));
    String urgent =
        job(99, "sluice.dev/duration: 1m")
            .substring(4)
            .replace("lq}", "lq, kueue.x-k8s.io/priority-class: urgent}");

    WhatIf answer = WhatIf.of(present, Scenario.parse(urgent).steps(), WhatIfTest::play);

    assertThat(answer.comparison().evictedOnlyWith()).isNotEmpty();
    assertThat(answer.tables().get(1).rows().getFirst()).contains("with the change", "team");
  }

  @Test
  void runTimesAreLearnedFromJobsThatHaveEnded() {
    Present present = new Present(Scenario.parse(PAST.snapshot().yaml()));
    RunTimes times = present.runTimes();
    ApiObject waiting = present.jobs().getLast();

    assertThat(times.known()).isPositive();
    assertThat(times.median(waiting, Duration.ZERO)).isBetween(Duration.ofMinutes(3), BEFORE);
    assertThat(times.median(waiting, Duration.ofHours(4))).isEqualTo(Duration.ofHours(6));
  }

  @Test
  void runTimeIsGivenToAJobWithItsWorkloadAndPods() {
    String yaml = PAST.snapshot().yaml().replaceAll("(?m)^.*sluice.dev/duration.*\\R", "");

    Scenario timed = new Present(Scenario.parse(yaml)).with((_, _) -> Duration.ofMinutes(5));

    assertThat(timed.yaml().split("sluice.dev/duration: 5m0s", -1)).hasSizeGreaterThan(12);
  }

  @Test
  void otherScenariosAreNoSnapshots() {
    Scenario plain = Scenario.parse(CLUSTER);

    assertThatThrownBy(() -> new Present(plain))
        .hasMessage("it is no snapshot: make one with 'sluice snapshot -o cluster.yaml'");
  }
}
