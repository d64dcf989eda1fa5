package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.testkit.Kubectl;
import java.nio.file.Path;
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
    assumeTrue(Kubectl.isHere(), "skipped: there is no kubectl; install it, or Go for dev/kubernetes");
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

      assertThat(kubectl().run("get", "configmap", "kept", "-o", "jsonpath={.data.answer}").orFail())
          .isEqualTo("42");
      assertThat(kubectl().run("get", "nodes", "-o", "name").orFail().lines()).hasSize(3);
    }
  }

  @Test
  void deletingAJobDeletesItsPodsAndFreesItsQuota() {
    try (SluiceProcess sluice = up()) {
      sluice.readyLine();
      Kubectl kubectl = kubectl();
      String scenario =
          SluiceProcess.repository().resolve("examples/first-thread.yaml").toString();
      kubectl.run("apply", "-f", scenario).orFail();
      kubectl.run("wait", "--for=jsonpath={.status.active}=1", "--timeout=30s", "job/second").orFail();

      kubectl.run("delete", "job", "second").orFail();

      kubectl.run("wait", "--for=delete", "pod", "-l", "job-name=second", "--timeout=30s").orFail();
      kubectl.run("wait", "--for=condition=Complete", "--timeout=30s", "job/third").orFail();
      assertThat(kubectl.run("get", "workloads", "-o", "name").orFail().lines()).hasSize(2);
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
