package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.testkit.Kubectl;
import dev.sluice.testkit.KubernetesBinaries;
import dev.sluice.testkit.RealKubernetes;
import dev.sluice.testkit.RequiresKubernetes;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A manager whose API server goes away and comes back. */
@Timeout(180)
@RequiresKubernetes
class ManagerOutageIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String QUEUES =
      """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: plain}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: all}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - {name: plain, resources: [{name: cpu, nominalQuota: "2"}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: mine, namespace: default}
      spec: {clusterQueue: all}
      """;

  @Test
  void aManagerGoesOnWhenItsServerIsBack() {
    try (RealKubernetes kubernetes = RealKubernetes.start(KubernetesBinaries.find().orElseThrow());
        SluiceProcess sluice =
            SluiceProcess.start("manager", "--kubeconfig", kubernetes.kubeconfig().toString())) {
      assertThat(sluice.readyLine()).contains("Sluice manages the queues of");
      Kubectl kubectl = kubernetes.kubectl();
      kubectl.runWithInput(QUEUES, "apply", "-f", "-").orFail();
      create(kubectl, "before");
      String decided = workload(kubectl, "before");

      kubernetes.stopApiServer();
      kubernetes.startApiServer();

      create(kubectl, "after");
      assertThat(workload(kubectl, "before")).isNotEmpty().isEqualTo(decided);
      assertThat(sluice.terminate().exitCode()).isZero();
    }
  }

  /** Creates a job, by whatever way it comes to be suspended, and waits until it is started. */
  private static void create(Kubectl kubectl, String name) {
    // The webhooks may still be on their way, or the lease may be elsewhere for a moment.
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> kubectl.runWithInput(job(name), "apply", "-f", "-").orFail());
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          assertThat(workload(kubectl, name)).contains("clusterQueue");
          assertThat(kubectl.run("get", "job", name, "-o", "jsonpath={.spec.suspend}").orFail())
              .isEqualTo("false");
        });
  }

  /** What was decided about a job, and when. */
  private static String workload(Kubectl kubectl, String job) {
    String owned = "{range .items[?(@.metadata.ownerReferences[0].name==\"" + job + "\")]}";
    String when = "{.status.conditions[?(@.type==\"QuotaReserved\")].lastTransitionTime}";
    return kubectl
        .run(
            "get",
            "workloads",
            "-o",
            "jsonpath=" + owned + "{.metadata.uid}{.status.admission}" + when + "{end}")
        .orFail();
  }

  private static String job(String name) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: mine}}
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: main, image: none, resources: {requests: {cpu: "1"}}}]
    """
        .formatted(name);
  }
}
