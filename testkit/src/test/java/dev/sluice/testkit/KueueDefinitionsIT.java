package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.CrdInstaller;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.runtime.RealTime;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

@RequiresKubernetes
class KueueDefinitionsIT {
  @Test
  void x(RealKubernetes kubernetes) {
    var time = new RealTime();
    try (var cluster = new KubernetesCluster(Connection.kubeconfig(kubernetes.kubeconfig()), time, new SplittableRandom(1))) {
      for (var d : KueueDefinitions.all()) {
        try {
          new CrdInstaller(cluster, Duration.ofSeconds(60)).install(java.util.List.of(d));
        } catch (RuntimeException e) { System.out.println(d.name() + ": " + e.getMessage()); }
      }
      System.out.println(kubernetes.kubectl().run("get", "crd").orFail());
    }
    assertThat(time).isNotNull();
    time.close();
  }
}
