package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.KubernetesBinaries;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits in a real cluster and why, asked with kubectl and with sluice explain. */
@Timeout(180)
@RequiresKubernetes
class InsightIT {
  private static final String API = "/apis/visibility.kueue.x-k8s.io/v1beta2/";
  private static final String OF_CLUSTER_QUEUE = API + "clusterqueues/all/pendingworkloads";
  private static final String OF_LOCAL_QUEUE =
      API + "namespaces/default/localqueues/all/pendingworkloads";

  private static RealKubernetes kubernetes;
  private static Kubectl kubectl;
  private static QueueInCluster queue;

  @BeforeAll
  static void start() {
    kubernetes = RealKubernetes.start(KubernetesBinaries.find().orElseThrow());
    kubectl = kubernetes.kubectl();
    queue = new QueueInCluster(kubectl, "all");
  }

  @AfterAll
  static void stop() {
    kubernetes.close();
  }

  @Test
  void authorizedUsersSeeWhatIsPendingAndWhyWhileAManagerRuns() {
    try (SluiceProcess first = manager()) {
      assertThat(first.readyLine()).contains("Sluice manages the queues of");
      queue.open(1, "");
      queue.awaitWebhooks();
      queue.submit("runs");
      queue.awaitStarted("runs");
      queue.submit("waits");

      awaitWaiting();
      assertThat(raw(OF_LOCAL_QUEUE).orFail()).contains("\"positionInLocalQueue\":0");
      assertThat(raw(OF_CLUSTER_QUEUE.replace("v1beta2", "v1beta1")).orFail()).contains("v1beta1");
      assertThat(kubernetes.kubectlOfOrdinaryUser().run("get", "--raw", OF_LOCAL_QUEUE).error())
          .contains("cannot get resource \"localqueues/pendingworkloads\"");
      SluiceProcess.Ended explained = explain(kubernetes.kubeconfig());
      assertThat(explained.exitCode()).as(explained.errors()).isZero();
      assertThat(explained.out())
          .contains("waits in ClusterQueue all at place 1")
          .contains("flavor plain: 1 more cpu needed of the quota of all");

      first.kill();
    }

    // No manager answers, and a workload that is created now does not wait for an answer.
    queue.submit("meanwhile");
    assertThat(explain(kubernetes.kubeconfig()).errors())
        .contains("its position is not known")
        .contains("kubectl get apiservice v1beta2.visibility.kueue.x-k8s.io");

    try (SluiceProcess second = manager()) {
      assertThat(second.readyLine()).contains("Sluice");
      awaitWaiting();
      queue.awaitSuspended("meanwhile", "true");
      SluiceProcess.Ended ended = second.terminate();
      assertThat(ended.exitCode()).isZero();
      assertThat(ended.errors()).doesNotContain("unstable version", "Queued close");
    }

    assertThat(explain(kubernetes.kubeconfig()).errors())
        .contains("no API service serves visibility.kueue.x-k8s.io in this cluster");
  }

  private static SluiceProcess manager() {
    return SluiceProcess.start("manager", "--kubeconfig", kubernetes.kubeconfig().toString());
  }

  private static SluiceProcess.Ended explain(Path kubeconfig) {
    return SluiceProcess.run("explain", "job", "waits", "--kubeconfig", kubeconfig.toString());
  }

  private static Kubectl.Result raw(String path) {
    return kubectl.run("get", "--raw", path);
  }

  /** A server needs some time until it forwards requests. */
  private static void awaitWaiting() {
    await()
        .atMost(QueueInCluster.PATIENCE)
        .untilAsserted(() ->
            assertThat(raw(OF_CLUSTER_QUEUE).orFail())
                .contains("\"kind\":\"PendingWorkloadsSummary\"")
                .contains("job-waits-"));
  }
}
