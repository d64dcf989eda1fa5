package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class SimulateCommandTest {
  @TempDir Path directory;
  private final StringWriter out = new StringWriter();

  @Command(name = "any")
  private static final class AnyCommand {
    @Mixin private final InvariantOptions options = new InvariantOptions();
  }

  @Test
  void promisesAreCheckedOnlyIfThatIsAskedFor() {
    var plain = new AnyCommand();
    new CommandLine(plain).parseArgs();
    var checked = new AnyCommand();
    new CommandLine(checked).parseArgs("--check-invariants");

    assertThat(plain.options.with(ControllerSet.EMBEDDED)).isEqualTo(ControllerSet.EMBEDDED);
    assertThat(checked.options.with(ControllerSet.EMBEDDED)).contains(Group.INVARIANTS);
  }

  @Test
  void aScenarioInWhichAllPromisesHoldSucceeds() throws IOException {
    assertThat(
            simulate(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}}", "--check-invariants"))
        .isZero();
  }

  @Test
  void whatBreaksAPromiseFailsAndIsNamed() throws IOException {
    String foreign =
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q},
         spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],
          flavors: [{name: f, resources: [{name: cpu, nominalQuota: 1}]}]}]}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w, finalizers: [a/b]},
         spec: {queueName: l, podSets: [{name: main, count: 1, template: {spec: {
          restartPolicy: Never,
          containers: [{name: c, image: i, resources: {requests: {cpu: 2}}}]}}}]}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w,
          annotations: {sluice.dev/at: 10s, sluice.dev/do: update}}, status: {
          admission: {clusterQueue: q, podSetAssignments: [
           {name: main, count: 1, flavors: {cpu: f}, resourceUsage: {cpu: 2}}]},
          conditions: [{type: QuotaReserved, status: "True", reason: ByHand, message: "",
           lastTransitionTime: "2026-01-01T00:00:00Z"}]}}
        """;

    assertThat(simulate(foreign)).isZero();
    assertThat(simulate(foreign, "--check-invariants")).isEqualTo(1);
    assertThat(out.toString()).contains("/q f cpu is over its limit by 1000");
  }

  @Test
  void whatGoesOnForeverCanBeStopped() throws IOException {
    String endless =
        """
        {apiVersion: batch/v1, kind: CronJob, metadata: {name: c}, spec: {schedule: "0 * * * *",
         jobTemplate: {spec: {suspend: true, template: {spec: {
          restartPolicy: Never, containers: [{name: c, image: i}]}}}}}}
        """;

    assertThat(simulate(endless, "--for", "150m")).as("jobs did not end").isEqualTo(1);
    assertThat(out.toString().lines().filter(line -> line.startsWith("default/c-"))).hasSize(2);
    assertThat(simulate(endless, "--for", "ever")).isEqualTo(2);
    assertThat(out.toString()).contains("--for ever is no time; write it like 90m or 48h");
  }

  @Test
  void podsAreScheduledByTheProfilesOfAFile() throws IOException {
    String scenario =
        """
        {apiVersion: v1, kind: Node, metadata: {name: n, annotations: {kwok.x-k8s.io/node: fake}},
         status: {allocatable: {cpu: 8, memory: 32Gi, pods: 110}}}
        ---
        {apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: {spec: {
          schedulerName: packing, restartPolicy: Never, containers: [{name: c, image: i}]}}}}
        """;
    Path profiles =
        Files.writeString(
            directory.resolve("scheduler.yaml"),
            "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration,"
                + " profiles: [{schedulerName: packing}]}");

    assertThat(simulate(scenario)).as("the job did not end").isEqualTo(1);
    assertThat(out.toString()).contains("Running").doesNotContain("Complete");
    assertThat(simulate(scenario, "--scheduler-config", profiles.toString())).isZero();
    assertThat(out.toString())
        .contains("Complete")
        .contains(
            "scheduler.yaml: profiles: there is none for default-scheduler: only pods that ask for"
                + " packing get a node");
  }

  @Test
  void settingsForManagersAreWarnedOf() throws IOException {
    Path config =
        Files.writeString(
            directory.resolve("kueue.yaml"),
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, tls: {}, metrics:"
                + " {enableClusterQueueResources: true}}");

    assertThat(
            simulate(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}}",
                "--config",
                config.toString()))
        .isZero();
    assertThat(out.toString())
        .contains(
            config + ": tls: has no effect: it is for sluice manager",
            config + ": metrics: has no effect: a simulation has no metrics");
  }

  private int simulate(String yaml, String... options) throws IOException {
    Path file = directory.resolve("scenario.yaml");
    Files.writeString(file, yaml);
    var line = Main.commandLine();
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));
    var arguments = new ArrayList<>(List.of("simulate", file.toString()));
    arguments.addAll(List.of(options));
    return line.execute(arguments.toArray(String[]::new));
  }
}
