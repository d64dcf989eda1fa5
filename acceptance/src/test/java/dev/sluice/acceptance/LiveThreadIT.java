package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.RequiresKubectl;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real command with the real kubectl. */
@Timeout(180)
@RequiresKubectl
class LiveThreadIT {
  private static final String OWN_KIND =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: pots.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {kind: Pot, plural: pots}
        versions:
        - name: v1
          served: true
          storage: true
          schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer}}}}
      """;
  private static final String OWN_OBJECT =
      "{apiVersion: example.com/v1, kind: Pot, metadata: {name: p, namespace: team}, size: 3}";

  @TempDir private Path directory;

  @Test
  void theFirstThreadHoldsOnSluiceUp() {
    Path relative = SluiceProcess.repository().relativize(directory);
    try (SluiceProcess sluice =
        SluiceProcess.up(relative, "--simulated-nodes", "3", "--no-local-node")) {
      assertThat(sluice.readyLine())
          .contains("Sluice is ready")
          .contains("export KUBECONFIG=" + directory.resolve("kubeconfig"));

      aJobThatKnowsNothingOfTheNodesRunsThere();
      new FirstThread(kubectl()).holds();

      assertThat(sluice.terminate().exitCode()).isZero();
    }
  }

  /** In the order of the README, whose examples must not be in each other's way. */
  @Test
  void teamsShareWhatTheOtherLeavesIdle() {
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      kubectl().run("apply", "-f", FirstThread.SCENARIO).orFail();
      kubectl().run("delete", "jobs", "--all").orFail();

      new TwoTeams(kubectl()).share();
    }
  }

  @Test
  void whatWasAcknowledgedSurvivesAPowerCut() {
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      kubectl().run("create", "configmap", "kept", "--from-literal=answer=42").orFail();
      sluice.kill();
    }

    try (SluiceProcess sluice = up()) {
      sluice.readyLine();

      assertThat(kubectl().read("configmap/kept", "{.data.answer}")).isEqualTo("42");
      assertThat(kubectl().run("get", "nodes", "-o", "name").orFail().lines()).hasSize(3);
    }
  }

  @Test
  void deletingAJobDeletesItsPodsAndFreesItsQuota() {
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      Kubectl kubectl = kubectl();
      kubectl.run("apply", "-f", FirstThread.SCENARIO).orFail();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> kubectl.run("get", "pods", "-o", "name").orFail().lines().count() == 2);
      String job = kubectl.read("pods", "{.items[0].metadata.labels.job-name}");

      kubectl.run("delete", "job", job).orFail();

      kubectl.run("wait", "--for=delete", "pod", "-l", "job-name=" + job, "--timeout=30s").orFail();
      kubectl.run("wait", "--for=condition=Complete", "--timeout=30s", "jobs", "--all").orFail();
      assertThat(kubectl.run("get", "workloads", "-o", "name").orFail().lines()).hasSize(2);
    }
  }

  @Test
  void aDeletedNamespaceTakesEverythingInItAlong() {
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      Kubectl kubectl = kubectl();
      kubectl.run("create", "namespace", "team").orFail();
      kubectl.run("create", "job", "left", "--image=busybox", "-n", "team").orFail();
      kubectl.apply(OWN_KIND);
      kubectl.apply(OWN_OBJECT);

      kubectl.run("delete", "namespace", "team", "--timeout=30s").orFail();

      assertThat(kubectl.run("get", "jobs,pods,pots", "-n", "team", "-o", "name").orFail())
          .isEmpty();
      assertThat(kubectl.run("get", "namespace", "team").exitCode()).isNotZero();
    }
  }

  private void aJobThatKnowsNothingOfTheNodesRunsThere() {
    kubectl().run("create", "job", "plain", "--image=none", "--", "sleep", "1").orFail();
    kubectl().run("wait", "--for=condition=Complete", "--timeout=30s", "job/plain").orFail();
    kubectl().run("delete", "job", "plain").orFail();
  }

  private SluiceProcess up() {
    return SluiceProcess.up(directory, "--simulated-nodes", "3", "--no-local-node");
  }

  private Kubectl kubectl() {
    return Kubectl.with(directory.resolve("kubeconfig"));
  }
}
