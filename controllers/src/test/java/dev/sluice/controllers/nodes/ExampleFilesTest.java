package dev.sluice.controllers.nodes;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.nodes.usage.SimulatedUsage;
import dev.sluice.controllers.nodes.usage.UsageRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples that are not about pods, played as they are. */
@Timeout(30)
class ExampleFilesTest {
  private static final ResourceKind CLAIM =
      new ResourceKind("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", true);
  private static final ResourceKind VOLUME =
      new ResourceKind("", "v1", "PersistentVolume", "persistentvolumes", false);

  private final FakeCluster cluster = new FakeCluster(1);
  private VirtualDriver driver;

  @BeforeEach
  void start() {
    cluster.serve(CLAIM);
    cluster.serve(VOLUME);
    SimulatedNodeSpec.parse("1:cpu=4")
        .nodes("a", List.of())
        .forEach(node -> cluster.create(Kinds.NODE, node));
    driver = driver(cluster, 3, SimulatedNodes.withPods(cluster, false));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private void apply(String file) throws IOException {
    var hooks = new ArrayList<AdmissionHook>(UsageRules.all());
    hooks.add(new StageRules(cluster));
    for (var document : Yaml.parseAll(Files.readString(Path.of("../examples/kwok", file)))) {
      ApiObject object = ApiObject.of(document);
      for (AdmissionHook hook : hooks) {
        if (object.isA(hook.kind())) {
          hook.checkCreate(object);
          cluster.create(hook.kind(), object);
        }
      }
    }
  }

  private Node node() {
    return new Node(cluster.list(Kinds.NODE).getFirst());
  }

  @Test
  void aNodeFailsOnDemandAndComesBack() throws IOException {
    apply("node-chaos.yaml");
    pass(driver, cluster, Duration.ofSeconds(1));
    assertThat(node().isReady()).isTrue();

    String label = "node-not-ready.stage.kwok.x-k8s.io";
    cluster.update(
        Kinds.NODE,
        node()
            .object()
            .withLabel(label, "true")
            .withAnnotation(label + "/type", "DiskPressure")
            .withAnnotation(label + "/reason", "Smoke"));
    pass(driver, cluster, Duration.ofSeconds(2));

    assertThat(node().isReady()).isFalse();
    assertThat(node().status().holds("DiskPressure")).isTrue();

    cluster.update(Kinds.NODE, node().object().withLabel(label, "false"));
    pass(driver, cluster, Duration.ofSeconds(2));

    assertThat(node().isReady()).isTrue();
    assertThat(node().status().holds("DiskPressure")).isFalse();
  }

  @Test
  void aClaimGetsAVolumeAndLosesItWithItsEnd() throws IOException {
    apply("volume-fast.yaml");
    ApiObject claim =
        cluster.create(
            CLAIM,
            yaml(
                """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: c, namespace: default, finalizers: [kubernetes.io/pvc-protection]}
                spec:
                  storageClassName: kwok-volume
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                """));
    driver.settle();

    ApiObject bound = cluster.require(claim.key(CLAIM));
    assertThat(bound.status().text("phase")).isEqualTo("Bound");
    ApiObject volume = cluster.require(VOLUME.key(bound.spec().text("volumeName")));
    assertThat(volume.status().text("phase")).isEqualTo("Bound");
    assertThat(volume.spec().text("capacity", "storage")).isEqualTo("1Gi");

    cluster.delete(CLAIM, bound, Deletion.BACKGROUND);
    driver.settle();

    assertThat(cluster.list(VOLUME)).isEmpty();
  }

  @Test
  void podsUseHalfOfWhatTheyAskFor() throws IOException {
    apply("usage.yaml");
    ApiObject pod =
        cluster.create(
            Kinds.POD,
            yaml(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: p, namespace: default}
                spec:
                  nodeName: simulated-a-0
                  containers: [{name: a, resources: {requests: {cpu: 2}}}, {name: b}]
                """));
    cluster.patchStatus(Kinds.POD, pod, Tree.of("phase", "Running"));
    var usage = new SimulatedUsage(cluster, SimulationSettings.DEFAULT);
    String page = "/metrics/nodes/simulated-a-0/metrics/resource";
    usage.page(page);
    pass(driver, cluster, Duration.ofSeconds(10));

    List<String> lines = usage.page(page).orElseThrow().lines().toList();
    assertThat(lines)
        .contains("node_cpu_usage_seconds_total 10.01", "node_memory_working_set_bytes 134217728");
  }
}
