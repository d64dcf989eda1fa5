package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.testkit.Kubectl;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real command with the real kubectl. */
@Timeout(180)
class LiveThreadIT {
  @TempDir private Path directory;

  @BeforeAll
  static void kubectlIsHere() {
    assumeTrue(
        Kubectl.isHere(), "skipped: there is no kubectl; install it, or Go for dev/kubernetes");
  }

  @Test
  void theFirstThreadHoldsOnSluiceUp() {
    try (SluiceProcess sluice = up()) {
      assertThat(sluice.readyLine())
          .contains("Sluice is ready")
          .contains("export KUBECONFIG=" + directory.resolve("kubeconfig"));

      new FirstThread(kubectl()).holds();

      assertThat(sluice.terminate().exitCode()).isZero();
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

      assertThat(
              kubectl().run("get", "configmap", "kept", "-o", "jsonpath={.data.answer}").orFail())
          .isEqualTo("42");
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
      String job =
          kubectl
              .run("get", "pods", "-o", "jsonpath={.items[0].metadata.labels.job-name}")
              .orFail();

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

      kubectl.run("delete", "namespace", "team", "--timeout=30s").orFail();

      assertThat(kubectl.run("get", "jobs,pods", "-n", "team", "-o", "name").orFail()).isEmpty();
      assertThat(kubectl.run("get", "namespace", "team").exitCode()).isNotZero();
    }
  }

  private SluiceProcess up() {
    return SluiceProcess.start(
        "up", "--data-dir", directory.toString(), "--port", "0", "--simulated-nodes", "3");
  }

  private Kubectl kubectl() {
    return Kubectl.with(directory.resolve("kubeconfig"));
  }
}
