package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same scenario and seed give the same decision log, to the byte, in any JVM: with another heap
 * and garbage collector, other identity hash codes, another order of immutable sets, which each JVM
 * draws anew, another locale and another time zone.
 */
final class DeterminismIT {
  private static final List<List<String>> MACHINES =
      List.of(
          List.of("-Xmx256m", "-XX:+UseSerialGC", "-Duser.language=en", "-Duser.timezone=UTC"),
          List.of(
              "-Xmx1g",
              "-XX:+UseParallelGC",
              "-XX:+UnlockExperimentalVMOptions",
              "-XX:hashCode=2",
              "-Duser.language=tr",
              "-Duser.country=TR",
              "-Duser.timezone=Asia/Kathmandu"),
          List.of(
              "-Xmx400m",
              "-XX:TieredStopAtLevel=1",
              "-XX:+UnlockExperimentalVMOptions",
              "-XX:hashCode=0",
              "-Duser.language=ar",
              "-Duser.country=EG",
              "-Duser.timezone=America/St_Johns"));

  private static final String CLUSTER =
      """
      {apiVersion: v1, kind: Node, metadata: {name: n1, annotations: {kwok.x-k8s.io/node: fake}},
       status: {allocatable: {cpu: "8", memory: 32Gi, pods: "50"}}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: plain}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: urgent}, value: 9}
      """;

  private static final String QUEUE =
      """
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: %1$s}
      spec:
        cohortName: all
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: Any}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: plain, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: %1$s, namespace: default},
       spec: {clusterQueue: %1$s}}
      """;

  @TempDir private Path directory;

  @Test
  void decisionLogIsTheSameOnEveryMachine() throws IOException, InterruptedException {
    Path scenario = Files.writeString(directory.resolve("scenario.yaml"), scenario());
    var running = new ArrayList<Process>();
    for (int i = 0; i < MACHINES.size(); i++) {
      running.add(start(scenario, i));
    }
    for (Process process : running) {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    }

    byte[] first = log(0);
    assertThat(new String(first, StandardCharsets.UTF_8)).contains("Preempt").contains("Admit");
    for (int i = 1; i < MACHINES.size(); i++) {
      assertThat(log(i)).as("with %s", MACHINES.get(i)).isEqualTo(first);
    }
  }

  private static String scenario() {
    var yaml = new StringBuilder(CLUSTER);
    yaml.append(QUEUE.formatted("red")).append(QUEUE.formatted("blue"));
    for (int i = 0; i < 24; i++) {
      String queue = i % 3 == 0 ? "red" : "blue";
      String priority = i % 5 == 4 ? ", kueue.x-k8s.io/priority-class: urgent" : "";
      yaml.append(job(i, queue, priority));
    }
    return yaml.toString();
  }

  private static String job(int number, String queue, String priority) {
    return """
    ---
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: job-%1$d
      labels: {kueue.x-k8s.io/queue-name: %2$s%3$s}
      annotations: {sluice.dev/at: %4$ds}
    spec:
      parallelism: %5$d
      completions: %5$d
      template:
        metadata: {annotations: {sluice.dev/duration: %6$dm}}
        spec:
          restartPolicy: Never
          containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]
    """
        .formatted(number, queue, priority, 7 * number, 1 + number % 4, 1 + number % 6);
  }

  private byte[] log(int machine) throws IOException {
    return Files.readAllBytes(directory.resolve("out-" + machine).resolve("decisions.jsonl"));
  }

  private Process start(Path scenario, int machine) throws IOException {
    var command = new ArrayList<String>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(MACHINES.get(machine));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("simulate", scenario.toString(), "--seed", "3"));
    command.addAll(List.of("--out", directory.resolve("out-" + machine).toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("said-" + machine).toFile())
        .start();
  }
}
