package dev.sluice.conformance.controllers;

import dev.sluice.conformance.EmbeddedServer;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.LiveDriver;
import dev.sluice.runtime.RealTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** A real Kubernetes with its own controllers, and our API server with some of ours. */
final class TwoWorlds implements AutoCloseable {
  final KubernetesCluster ours;
  final KubernetesCluster real;
  private final RealTime time = new RealTime();
  private final EmbeddedServer embedded;
  private final LiveDriver driver;

  /**
   * @param controllers those of ours, which run once {@link #start} was called
   */
  TwoWorlds(RealKubernetes kubernetes, Path folder, Function<Cluster, List<Controller>> controllers)
      throws IOException {
    this.embedded = new EmbeddedServer(folder);
    this.ours = cluster(embedded.kubeconfig());
    this.real = cluster(kubernetes.kubeconfig());
    this.driver = new LiveDriver(ours, controllers.apply(ours));
  }

  private KubernetesCluster cluster(Path kubeconfig) {
    return RealCluster.of(kubeconfig, time);
  }

  void start() {
    driver.start();
  }

  List<KubernetesCluster> both() {
    return List.of(real, ours);
  }

  @Override
  public void close() {
    driver.close();
    ours.close();
    real.close();
    embedded.close();
    time.close();
  }
}
