package dev.sluice.conformance;

import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.runtime.TimeSource;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** A cluster behind a real API server, as controllers see it. */
public final class RealCluster {
  private RealCluster() {}

  /** The cluster of a kubeconfig; the caller closes it. */
  public static KubernetesCluster of(Path kubeconfig, TimeSource time) {
    return new KubernetesCluster(Connection.kubeconfig(kubeconfig), time, new SplittableRandom(1));
  }
}
