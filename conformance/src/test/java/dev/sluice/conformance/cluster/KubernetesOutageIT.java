package dev.sluice.conformance.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.KubernetesBinaries;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.RealTime;
import dev.sluice.testkit.contract.ToldEvents;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose server goes away for a while, and with it the watches' place in history. */
@RequiresKubernetes
@Timeout(180)
class KubernetesOutageIT {
  private final RealTime time = new RealTime();
  private RealKubernetes kubernetes;
  private CuttableLine line;
  private KubernetesCluster cluster;

  @BeforeEach
  void connect(@TempDir Path folder) throws IOException {
    kubernetes = RealKubernetes.start(KubernetesBinaries.find().orElseThrow());
    line = new CuttableLine(URI.create(kubernetes.server()).getPort());
    String throughLine =
        Files.readString(kubernetes.kubeconfig())
            .replace(kubernetes.server(), "https://127.0.0.1:" + line.port());
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), throughLine);
    cluster = RealCluster.of(kubeconfig, time);
  }

  @AfterEach
  void close() {
    cluster.close();
    line.close();
    kubernetes.close();
    time.close();
  }

  @Test
  void whatHappensDuringAnOutageIsToldAfterIt() {
    try (var told = ToldEvents.of(cluster, Kinds.CONFIG_MAP, "default")) {
      for (String name : new String[] {"deleted", "replaced", "changed", "kept"}) {
        cluster.create(Kinds.CONFIG_MAP, ApiObject.of(Kinds.CONFIG_MAP, "default", name));
      }
      Eventually.holds("everything is told", () -> told.toldOf("kept"));

      line.cut();
      Kubectl kubectl = kubernetes.kubectl();
      kubectl.run("delete", "configmap", "deleted", "replaced").orFail();
      kubectl.run("create", "configmap", "replaced").orFail();
      kubectl.run("create", "configmap", "created").orFail();
      kubectl.run("label", "configmap", "changed", "a=b").orFail();
      // A new server remembers no old events, so the watch has to start from a new list.
      kubernetes.stopApiServer();
      kubernetes.startApiServer();
      assertThat(cluster.get(Kinds.CONFIG_MAP.key("default", "deleted"))).isPresent();
      line.mend();

      Eventually.holds("the watch is back", () -> told.toldOf("created"));
      cluster.create(Kinds.CONFIG_MAP, ApiObject.of(Kinds.CONFIG_MAP, "default", "last"));
      Eventually.holds("the watch goes on", () -> told.toldOf("last"));
      assertThat(told.said())
          .startsWith("ADDED deleted", "ADDED replaced", "ADDED changed", "ADDED kept")
          .contains(
              "DELETED deleted",
              "DELETED replaced",
              "ADDED replaced",
              "MODIFIED changed",
              "ADDED created")
          .hasSize(10);
      assertThat(told.replay().values())
          .containsExactlyElementsOf(cluster.list(Kinds.CONFIG_MAP, "default"));
    }
  }

  @Test
  void writesAreRefusedWhileTheServerIsAwayAndReadsGoOn() {
    var key = Kinds.CONFIG_MAP.key("default", "a");
    ApiObject created =
        cluster.create(Kinds.CONFIG_MAP, ApiObject.of(Kinds.CONFIG_MAP, "default", "a"));
    assertThat(cluster.get(key)).contains(created);

    line.cut();
    ApiException refused =
        catchThrowableOfType(
            ApiException.class,
            () -> cluster.update(Kinds.CONFIG_MAP, created.withLabel("a", "b")));
    ApiException unread = catchThrowableOfType(ApiException.class, () -> cluster.list(Kinds.LEASE));

    assertThat(refused.failure().reason()).isEqualTo(Reason.SERVICE_UNAVAILABLE);
    assertThat(refused).hasMessageContaining("https://127.0.0.1:" + line.port());
    assertThat(unread.failure().reason()).isEqualTo(Reason.SERVICE_UNAVAILABLE);
    assertThat(cluster.get(key)).contains(created);

    line.mend();
    ApiObject updated = cluster.update(Kinds.CONFIG_MAP, created.withLabel("a", "b"));
    assertThat(cluster.get(key)).contains(updated);
    assertThat(cluster.list(Kinds.LEASE)).isNotNull();
  }
}
