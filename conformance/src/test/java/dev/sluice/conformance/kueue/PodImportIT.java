package dev.sluice.conformance.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.QueueMappingFile;
import dev.sluice.controllers.queueing.importing.ImportReport;
import dev.sluice.controllers.queueing.importing.ImportTerms;
import dev.sluice.controllers.queueing.importing.PodImport;
import dev.sluice.kubernetes.CrdInstaller;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.RealTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods of a real cluster that are there before any manager queues them. */
@RequiresKubernetes
@Timeout(120)
class PodImportIT {
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %s, labels: {team: imports}}
      spec:
        containers:
        - {name: c, image: i, resources: {requests: {cpu: 1}}}
      """;

  private static final String RULES =
      """
      - {match: {labels: {team: imports}}, toLocalQueue: imports}
      - {match: {}, skip: true}
      """;

  @Test
  void stayAndAreCountedOnceTheyAreImported(RealKubernetes kubernetes) {
    Kubectl kubectl = kubernetes.kubectl();
    try (var time = new RealTime();
        var cluster = RealCluster.of(kubernetes.kubeconfig(), time)) {
      new CrdInstaller(cluster, Duration.ofSeconds(60)).install(KueueDefinitions.all());
      kubectl.apply(queues());
      kubectl.apply(POD.formatted("imported-a"));
      kubectl.apply(POD.formatted("imported-b"));
      Eventually.holds("both pods are seen", () -> podImport(cluster).check().ready() == 2);

      ImportReport report = podImport(cluster).run();

      assertThat(report.lines()).isEmpty();
      assertThat(report.written()).isEqualTo(2);
      assertThat(podImport(cluster).run().before()).isEqualTo(2);
    }
    try (var stage = new QueueStage(kubernetes, Configuration.DEFAULT)) {
      stage.submit("imports-late", "imports", 1);
      stage.awaitWaiting("imports-late", "insufficient unused quota for cpu in flavor imports");
      assertThat(kubectl.readEach("pods", "{.metadata.name}:{.metadata.deletionTimestamp}"))
          .contains("imported-a:", "imported-b:");

      kubectl.run("delete", "pod/imported-a", "pod/imported-b", "--force").orFail();

      stage.awaitAdmitted("imports-late");
    }
  }

  private static String queues() {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: imports, labels: {sluice.dev/stage: queues}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: imports, labels: {sluice.dev/stage: queues}}
    spec: {%s}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: imports, labels: {sluice.dev/stage: queues}}
    spec: {clusterQueue: imports}
    """
        .formatted(QueueStage.quota("imports", "2"));
  }

  private static PodImport podImport(Cluster cluster) {
    return new PodImport(
        cluster,
        new ImportTerms(
            List.of("default"),
            QueueMappingFile.read(RULES),
            new TreeMap<>(Map.of("sluice.dev/stage", "queues")),
            Configuration.DEFAULT,
            8));
  }
}
