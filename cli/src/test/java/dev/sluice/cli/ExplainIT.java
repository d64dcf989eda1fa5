package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.nodes.SimulationSettings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Yaml;
import dev.sluice.simulator.scenario.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code sluice explain} and {@code sluice snapshot} against a running control plane. */
final class ExplainIT {
  @TempDir private static Path directory;

  private static ControlPlane controlPlane;

  @BeforeAll
  static void start() throws IOException {
    var loaded = ConfigurationFile.none(new TreeMap<>(), Configuration.DEFAULT.namespace());
    controlPlane =
        new ControlPlane(
            directory,
            0,
            loaded,
            ControllerSet.EMBEDDED,
            false,
            SimulationSettings.DEFAULT,
            SchedulerConfiguration.DEFAULT);
    create(Kinds.RESOURCE_FLAVOR, "metadata: {name: plain}");
    create(
        Kinds.CLUSTER_QUEUE,
        """
        metadata: {name: cq}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: plain, resources: [{name: cpu, nominalQuota: 2}]}]
        """);
    create(
        Kinds.LOCAL_QUEUE, "{metadata: {name: lq, namespace: default}, spec: {clusterQueue: cq}}");
    workload("runs", "lq", 9, 2);
    await().atMost(Duration.ofSeconds(20)).until(() -> workload("runs").admitted());
    workload("waits", "lq", 5, 1);
    workload("huge", "lq", 0, 50);
    workload("lost", "nowhere", 0, 1);
    for (String waiting : List.of("waits", "huge")) {
      await().atMost(Duration.ofSeconds(20)).until(() -> isTold(waiting));
    }
  }

  @AfterAll
  static void stop() {
    controlPlane.close();
  }

  private static void create(ResourceKind kind, String yaml) {
    var tree = Yaml.parseAll(yaml).getFirst().asTree();
    controlPlane
        .cluster()
        .create(
            kind,
            ApiObject.of(tree.with("apiVersion", kind.apiVersion()).with("kind", kind.kind())));
  }

  private static void workload(String name, String queue, int priority, int cpu) {
    create(
        Kinds.WORKLOAD,
        """
        metadata: {name: %s, namespace: default}
        spec:
          queueName: %s
          priority: %d
          podSets:
          - name: main
            count: 1
            template:
              spec:
                restartPolicy: Never
                containers:
                - {name: main, image: busybox, resources: {requests: {cpu: %d}}}
        """
            .formatted(name, queue, priority, cpu));
  }

  private static Workload workload(String name) {
    return new Workload(
        controlPlane.cluster().get(Kinds.WORKLOAD.key("default", name)).orElseThrow());
  }

  /** A workload with a condition that says why it is pending is in its queue. */
  private static boolean isTold(String name) {
    return !workload(name).status().message(WorkloadStatus.QUOTA_RESERVED).isEmpty();
  }

  private static String explain(String... words) {
    return run(new ExplainCommand(), words);
  }

  private static String run(Object object, String... words) {
    var arguments = new ArrayList<>(List.of(words));
    arguments.add("--kubeconfig");
    arguments.add(controlPlane.kubeconfig().toString());
    return answer(object, arguments.toArray(String[]::new));
  }

  private static String answer(Object object, String... words) {
    var out = new StringWriter();
    var command = new CommandLine(object);
    command.setOut(new PrintWriter(out));
    command.setExecutionExceptionHandler((thrown, _, _) -> {
      out.write(String.valueOf(thrown.getMessage()));
      return thrown instanceof UserError ? 1 : 99;
    });
    assertThat(command.execute(words)).isIn(0, 1, 2);
    return out.toString();
  }

  @Test
  void saysWhatAWaitingWorkloadLacksAndWhoHasIt() {
    assertThat(explain("workload", "waits"))
        .startsWith("default/waits waits in ClusterQueue cq at place 1 (place 1 of LocalQueue lq).")
        .contains("flavor plain: 1 more cpu needed of the quota of cq; held by cq 2 (1 workload)");
  }

  @Test
  void saysWhenWaitingDoesNotHelp() {
    assertThat(explain("workload", "huge"))
        .contains("1 ahead of it: default/waits")
        .contains(
            "asks for 50 cpu, more than the 2 the queue could ever use: waiting does not help");
  }

  @Test
  void saysHowOthersStand() {
    assertThat(explain("workload", "runs"))
        .contains("default/runs is admitted by ClusterQueue cq.");
    assertThat(explain("workload", "lost"))
        .contains("there is no LocalQueue nowhere in namespace default");
    assertThat(explain("workload", "unknown"))
        .contains("there is no workload unknown in namespace default");
    assertThat(explain("workload", "wait"))
        .contains("there is no workload wait in namespace default; did you mean waits?");
    assertThat(explain("workload", "unknown", "-A"))
        .contains("there is no workload unknown in any namespace");
    assertThat(explain("job", "unknown")).contains("there is no job unknown in namespace default");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "workload runs",
        "Workload runs",
        "wl/runs",
        "workloads/runs",
        "workloads.kueue.x-k8s.io/runs",
        "wl runs -A"
      })
  void wordsAreThoseOfKubectl(String words) {
    assertThat(explain(words.split(" "))).contains("default/runs is admitted by ClusterQueue cq.");
  }

  @ParameterizedTest
  @CsvSource({
    "jbo/runs, did you mean job?",
    "queue x, 'give a job, a workload or a pod'",
    "runs, names nothing to explain",
    "job/, names nothing to explain",
    "job x -A -n y, -A and --namespace exclude each other"
  })
  void otherWordsAreRefused(String words, String want) {
    assertThat(explain(words.split(" "))).contains(want);
  }

  @Test
  void admittedJobShowsItsFlavorAndPods() {
    job("trains", "lq", "", "0");
    await().atMost(Duration.ofSeconds(20)).until(() -> explain("job/trains").contains("without"));

    assertThat(explain("job/trains"))
        .contains("is admitted by ClusterQueue cq.")
        .containsPattern("Admitted since 20..-..-..T")
        .contains("Pod set main: 1 pod on flavor plain (cpu)")
        .contains("0 of 1 pod ready")
        .contains("1 without a node, Unschedulable: no nodes available to schedule pods");
  }

  @Test
  void jobWithoutWorkloadNamesTheMissingPriorityClass() {
    create(Kinds.WORKLOAD_PRIORITY_CLASS, "{metadata: {name: urgent}, value: 9}");
    job("typo", "lq", "kueue.x-k8s.io/priority-class: urgnet", "0");

    assertThat(explain("job", "typo"))
        .contains(
            "default/typo has no Workload, because it names WorkloadPriorityClass urgnet, which does"
                + " not exist; did you mean urgent?");
  }

  private static void job(String name, String queue, String label, String cpu) {
    create(
        Kinds.JOB,
        """
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: %s, %s}
        spec:
          template:
            spec:
              restartPolicy: Never
              containers:
              - {name: main, image: busybox, resources: {requests: {cpu: %s}}}
        """
            .formatted(name, queue, label, cpu));
  }

  @Test
  void snapshotIsAScenarioOfTheCluster() throws IOException {
    Path file = directory.resolve("cluster.yaml");

    String said = run(new SnapshotCommand(), "-o", file.toString());

    assertThat(said).contains("Try it: ./sluice what-if " + file);
    assertThat(Scenario.parse(Files.readString(file)).steps())
        .allMatch(step -> step.taken().isPresent())
        .extracting(step -> step.object().kind() + " " + step.object().name())
        .contains("ClusterQueue cq", "Workload runs", "Workload waits", "Namespace default")
        .doesNotContain("Secret");
  }

  @Test
  void futureWithoutAChangeIsTheSame() throws IOException {
    Path file = directory.resolve("present.yaml");
    Path out = directory.resolve("what-if");
    run(new SnapshotCommand(), "-o", file.toString());

    String said = answer(new WhatIfCommand(), file.toString(), "--out", out.toString());

    assertThat(said).contains("Every job starts at the same time.");
    assertThat(out.resolve("report.html")).content().contains("What if: nothing changes");
  }

  @Test
  void programsGetTheStructure() {
    var tree = Yaml.parseAll(explain("workload", "waits", "-o", "yaml")).getFirst().asTree();

    assertThat(tree.text("state")).isEqualTo("Waiting");
    assertThat(tree.text("pending", "explanation", "clusterQueue")).isEqualTo("cq");
  }
}
