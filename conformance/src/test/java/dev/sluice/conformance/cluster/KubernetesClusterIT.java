package dev.sluice.conformance.cluster;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.RealTime;
import dev.sluice.testkit.contract.ClusterContract;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** The contract of the port, kept on a real API server. */
@RequiresKubernetes
class KubernetesClusterIT extends ClusterContract {
  private final RealTime time = new RealTime();
  private final KubernetesCluster real;

  KubernetesClusterIT(RealKubernetes kubernetes) {
    this.real = RealCluster.of(kubernetes.kubeconfig(), time);
  }

  @Override
  protected Cluster cluster() {
    return real;
  }

  @Override
  protected void runUntil(String what, BooleanSupplier condition) {
    Eventually.holds(what, condition);
  }

  @AfterEach
  void close() {
    real.close();
    time.close();
  }
}
