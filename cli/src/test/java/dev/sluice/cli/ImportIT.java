package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.Purpose;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.nodes.SimulationSettings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Yaml;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code sluice import} against control planes that queue pods, and that do not. */
final class ImportIT {
  private static final String WITHOUT_PODS =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      integrations: {frameworks: [batch/job]}
      """;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private ControlPlane start(boolean queuesPods) throws IOException {
    String namespace = Configuration.DEFAULT.namespace();
    var loaded =
        queuesPods
            ? ConfigurationFile.none(new TreeMap<>(), namespace)
            : ConfigurationFile.read(
                WITHOUT_PODS, new TreeMap<>(), namespace, Purpose.CONTROL_PLANE);
    return new ControlPlane(
        directory.resolve("data"),
        0,
        loaded,
        ControllerSet.EMBEDDED,
        false,
        SimulationSettings.DEFAULT,
        SchedulerConfiguration.DEFAULT);
  }

  private static void create(ControlPlane plane, ResourceKind kind, String yaml) {
    var tree = Yaml.parseAll(yaml).getFirst().asTree();
    plane
        .cluster()
        .create(
            kind,
            ApiObject.of(tree.with("apiVersion", kind.apiVersion()).with("kind", kind.kind())));
  }

  /** A queue of two cpus, and two pods outside of it that ask for one each. */
  private static void fill(ControlPlane plane) {
    create(plane, Kinds.RESOURCE_FLAVOR, "metadata: {name: plain}");
    create(
        plane,
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
        plane,
        Kinds.LOCAL_QUEUE,
        "{metadata: {name: lq, namespace: default}, spec: {clusterQueue: cq}}");
    pod(plane, "a", "team: red");
    pod(plane, "b", "team: red");
  }

  private static void pod(ControlPlane plane, String name, String labels) {
    create(
        plane,
        Kinds.POD,
        """
        metadata: {name: %s, namespace: default, labels: {%s}}
        spec:
          restartPolicy: Never
          containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]
        """
            .formatted(name, labels));
  }

  private static Pod pod(ControlPlane plane, String name) {
    return new Pod(plane.cluster().get(Kinds.POD.key("default", name)).orElseThrow());
  }

  private static List<Workload> workloads(ControlPlane plane) {
    return plane.cluster().list(Kinds.WORKLOAD).stream().map(Workload::new).toList();
  }

  private int run(ControlPlane plane, String... more) {
    var words = new ArrayList<>(List.of("import", "-n", "default"));
    words.addAll(List.of("--kubeconfig", plane.kubeconfig().toString()));
    words.addAll(List.of(more));
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return command.execute(words.toArray(String[]::new));
  }

  private int run(ControlPlane plane, boolean dryRun) {
    return run(plane, "--queuelabel", "team", "--queuemapping", "red=lq", "--dry-run=" + dryRun);
  }

  @Test
  void importedPodsRunOnAndTheirQuotaIsUsed() throws IOException {
    try (ControlPlane plane = start(false)) {
      fill(plane);

      assertThat(run(plane, true)).isZero();
      assertThat(out.toString())
          .contains("Checked 2 pods: 2 to import, 0 imported before, 0 skipped, 0 with problems.")
          .contains("Nothing was changed: --dry-run=false imports them.");
      assertThat(workloads(plane)).isEmpty();

      assertThat(run(plane, false)).isZero();
      assertThat(out.toString()).contains("Imported 2 pods: 0 imported before, 0 skipped, 0 with");
      assertThat(run(plane, false)).isZero();
      assertThat(out.toString()).contains("Imported 0 pods: 2 imported before, 0 skipped, 0 with");
      assertThat(workloads(plane)).hasSize(2).allMatch(Workload::admitted);
    }

    try (ControlPlane plane = start(true)) {
      pod(plane, "late", KueueNames.QUEUE_NAME + ": lq");

      await()
          .atMost(Duration.ofSeconds(20))
          .until(() ->
              plane
                      .cluster()
                      .get(Kinds.CLUSTER_QUEUE.key("cq"))
                      .orElseThrow()
                      .status()
                      .whole("pendingWorkloads")
                      .orElse(0)
                  == 1);
      assertThat(pod(plane, "late").spec().hasSchedulingGates()).isTrue();
      for (String name : List.of("a", "b")) {
        assertThat(pod(plane, name).isDeleting()).isFalse();
        assertThat(pod(plane, name).spec().hasSchedulingGates()).isFalse();
      }
    }
  }

  @Test
  void problemsKeepAllPodsFromBeingImported() throws IOException {
    try (ControlPlane plane = start(false)) {
      fill(plane);
      pod(plane, "c", "team: blue");
      pod(plane, "d", "team: blue");

      assertThat(run(plane, false)).isEqualTo(1);

      assertThat(out.toString()).contains("  2 pods, such as default/c: no rule says where it");
      assertThat(err.toString())
          .isEqualTo("sluice: nothing was imported: mend the problems above first.%n".formatted());
      assertThat(workloads(plane)).isEmpty();

      Path rules =
          Files.writeString(
              directory.resolve("rules.yaml"),
              """
              - {match: {labels: {team: red}}, toLocalQueue: lq}
              - {match: {}, skip: true}
              """);
      assertThat(run(plane, "--queuemapping-file", rules.toString(), "--dry-run=false")).isZero();
      assertThat(workloads(plane)).hasSize(2);
    }
  }

  @Test
  void besideAManagerThatQueuesPodsTheWayOutIsNamedAndTheNextImportGoesOn() throws IOException {
    try (ControlPlane plane = start(true)) {
      fill(plane);

      assertThat(run(plane, false)).isEqualTo(1);

      assertThat(out.toString())
          .contains("  2 pods, such as default/a: its labels are refused: ")
          .contains("end it or take pod out of integrations.frameworks");
      assertThat(err.toString()).contains("sluice: not all pods were imported: ");
    }

    try (ControlPlane plane = start(false)) {
      assertThat(run(plane, false)).isZero();

      assertThat(workloads(plane)).hasSize(2).allMatch(Workload::admitted);
      assertThat(pod(plane, "a").object().label(KueueNames.MANAGED)).isEqualTo("true");
    }
  }
}
