package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code sluice simulate --out} and then {@code sluice replay}. */
final class ReplayCommandTest {
  private static final String SCENARIO =
      """
      {apiVersion: v1, kind: Node, metadata: {name: n1, annotations: {kwok.x-k8s.io/node: fake}},
       status: {allocatable: {cpu: "2", memory: 8Gi, pods: "9"}}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: plain}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: team}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: plain, resources: [{name: cpu, nominalQuota: 2}]}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq, namespace: default},
       spec: {clusterQueue: team}}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: one, labels: {kueue.x-k8s.io/queue-name: lq}}
      spec:
        template:
          spec:
            restartPolicy: Never
            containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]
      """;

  @TempDir private Path directory;
  private Path scenario;
  private Path log;

  @BeforeEach
  void simulate() throws IOException {
    scenario = Files.writeString(directory.resolve("scenario.yaml"), SCENARIO);
    log = directory.resolve("out").resolve("decisions.jsonl");
    run("simulate", scenario.toString(), "--out", directory.resolve("out").toString());
  }

  private static String run(String... words) {
    var said = new StringWriter();
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(said));
    command.setErr(new PrintWriter(said));
    int status = command.execute(words);
    return said + "exit " + status;
  }

  @Test
  void replayTakesTheSameDecisions() {
    assertThat(run("replay", log.toString())).contains("the same 1 decisions").endsWith("exit 0");
    assertThat(directory.resolve("out").resolve("report.html"))
        .content()
        .contains("Simulation of scenario.yaml");
  }

  @Test
  void replayNamesTheDecisionThatAChangeOfTheScenarioChanges() throws IOException {
    Files.writeString(scenario, SCENARIO.replace("nominalQuota: 2", "nominalQuota: 0"));

    assertThat(run("replay", log.toString()))
        .contains("line 2: ")
        .contains("scenario.yaml has changed since the log was written")
        .endsWith("exit 1");
  }

  @Test
  void otherFilesAreRefused() {
    assertThat(run("replay", scenario.toString())).contains(scenario.toString()).endsWith("exit 2");
  }
}
