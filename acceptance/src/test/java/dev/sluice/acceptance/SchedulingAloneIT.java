package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.KubernetesBinaries;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A manager that only schedules, in a cluster that knows nothing of queues, and still does not. */
@Timeout(120)
@RequiresKubernetes
class SchedulingAloneIT {
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: only}
      status: {allocatable: {cpu: 8, memory: 8Gi, pods: 20}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: pod, namespace: default}
      spec: {containers: [{name: main, image: none}]}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: job, namespace: default, labels: {kueue.x-k8s.io/queue-name: any}}
      spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: none}]}}}
      """;

  @Test
  void aSchedulerBringsNothingOfTheQueues() {
    try (RealKubernetes kubernetes = RealKubernetes.start(KubernetesBinaries.find().orElseThrow());
        SluiceProcess first = manager(kubernetes)) {
      assertThat(first.readyLine()).startsWith("Sluice manages scheduling of https://");
      try (SluiceProcess second = manager(kubernetes)) {
        assertThat(second.readyLine()).startsWith("Sluice stands by: ");
      }
      Kubectl kubectl = kubernetes.kubectl();
      kubectl.runWithInput(OBJECTS, "create", "-f", "-").orFail();
      // No kubelet would ever report that the node is ready.
      kubectl.run("taint", "node", "only", "node.kubernetes.io/not-ready-").orFail();

      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> assertThat(kubectl.read("pod/pod", "{.spec.nodeName}")).isEqualTo("only"));
      assertThat(kubectl.read("job/job", "{.spec.suspend}")).isEqualTo("false");
      for (String kind :
          new String[] {
            "crds", "mutatingwebhookconfigurations", "validatingwebhookconfigurations"
          }) {
        assertThat(kubectl.run("get", kind, "-o", "name").orFail()).as(kind).isEmpty();
      }
      assertThat(kubectl.run("get", "apiservices", "-o", "name").orFail()).doesNotContain("kueue");
      SluiceProcess.Ended ended = first.terminate();
      assertThat(ended.exitCode()).as(ended.errors()).isZero();
    }
  }

  private static SluiceProcess manager(RealKubernetes kubernetes) {
    return SluiceProcess.start(
        "manager",
        "--kubeconfig",
        kubernetes.kubeconfig().toString(),
        "--controllers",
        "scheduling");
  }
}
