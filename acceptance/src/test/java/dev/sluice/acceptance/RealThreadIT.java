package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The real command on a real Kubernetes, which runs Jobs and schedules pods by itself. */
@Timeout(240)
@RequiresKubernetes({RealKubernetes.Part.CONTROLLER_MANAGER, RealKubernetes.Part.SCHEDULER})
class RealThreadIT {

  @Test
  void theFirstThreadHoldsOnARealKubernetesAndTeamsShareTheirQuota(RealKubernetes kubernetes) {
    try (SluiceProcess sluice =
        SluiceProcess.start(
            "manager",
            "--kubeconfig",
            kubernetes.kubeconfig().toString(),
            "--controllers",
            "queueing,nodes,node-leases")) {
      assertThat(sluice.readyLine()).contains("Sluice manages the queues of");

      new FirstThread(kubernetes.kubectl()).holds();

      kubernetes.kubectl().run("delete", "jobs", "--all").orFail();
      new TwoTeams(kubernetes.kubectl()).share();

      assertThat(sluice.terminate().exitCode()).isZero();
    }
  }
}
