package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.testkit.KubernetesBinaries;
import dev.sluice.testkit.RealKubernetes;
import dev.sluice.testkit.RequiresKubernetes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A manager whose API server goes away and comes back. */
@Timeout(180)
@RequiresKubernetes
class ManagerOutageIT {
  @Test
  void aManagerGoesOnWhenItsServerIsBack() {
    try (RealKubernetes kubernetes = RealKubernetes.start(KubernetesBinaries.find().orElseThrow());
        SluiceProcess sluice =
            SluiceProcess.start("manager", "--kubeconfig", kubernetes.kubeconfig().toString())) {
      assertThat(sluice.readyLine()).contains("Sluice manages the queues of");
      var queue = new QueueInCluster(kubernetes.kubectl(), "all");
      queue.open(2, "");
      start(queue, "before");
      String decided = queue.decided("before");

      kubernetes.stopApiServer();
      kubernetes.startApiServer();

      start(queue, "after");
      assertThat(queue.decided("before")).contains("plain").isEqualTo(decided);
      assertThat(sluice.terminate().exitCode()).isZero();
    }
  }

  /** Creates a job, by whatever way it comes to be suspended, and waits until it is started. */
  private static void start(QueueInCluster queue, String job) {
    // The webhooks may still be on their way, or the lease may be elsewhere for a moment.
    await().atMost(QueueInCluster.PATIENCE).untilAsserted(() -> queue.submit(job));
    await()
        .atMost(QueueInCluster.PATIENCE)
        .untilAsserted(() -> assertThat(queue.decided(job)).contains("plain"));
    queue.awaitStarted(job);
  }
}
