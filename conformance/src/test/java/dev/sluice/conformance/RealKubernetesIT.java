package dev.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@RequiresKubernetes({RealKubernetes.Part.CONTROLLER_MANAGER, RealKubernetes.Part.SCHEDULER})
@Timeout(180)
class RealKubernetesIT {
  private static final String NODE =
      """
      {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}}
      """;
  private static final String READY =
      """
      {"status": {
        "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"},
        "capacity": {"cpu": "4", "memory": "8Gi", "pods": "10"},
        "conditions": [{"type": "Ready", "status": "True", "reason": "Test", "message": "",
                        "lastHeartbeatTime": "2026-01-01T00:00:00Z",
                        "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
      """;
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: hello}
      spec:
        template:
          spec:
            restartPolicy: Never
            containers: [{name: main, image: none}]
      """;

  @Test
  void aJobGetsAPodAndThePodANode(RealKubernetes kubernetes) {
    Kubectl kubectl = kubernetes.kubectl();
    kubectl.apply(NODE);
    kubectl
        .run("patch", "node", "node-1", "--subresource=status", "--type=merge", "-p", READY)
        .orFail();

    kubectl.apply(JOB);

    Eventually.holds(
        "the pod is bound",
        () ->
            kubectl
                .run("get", "pods", "-l", "job-name=hello", "-o", "jsonpath={..nodeName}")
                .orFail()
                .equals("node-1"));
  }

  @Test
  void kubectlTellsHowItFailed(RealKubernetes kubernetes) {
    Kubectl.Result result = kubernetes.kubectl().run("get", "pod", "nobody");

    assertThat(result.exitCode()).isNotZero();
    assertThat(result.error()).contains("NotFound");
    assertThatThrownBy(result::orFail)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("pods \"nobody\" not found");
  }

  @Test
  void aServerThatDiesIsReportedWithTheEndOfItsLog(@TempDir Path folder) throws IOException {
    for (String program : new String[] {"etcd", "kube-apiserver"}) {
      Path script = folder.resolve(program);
      Files.writeString(script, "#!/bin/sh\necho the reason is here\nexit 7\n");
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    assertThatThrownBy(() -> RealKubernetes.start(folder))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("kube-apiserver ended with exit code 7")
        .hasMessageContaining("the reason is here");
  }
}
