package dev.sluice.controllers.nodes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.Lease;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LocalNodeTest {
  private static final LocalMachine MACHINE =
      new LocalMachine(
          "local",
          "127.0.0.1",
          "here",
          0,
          0,
          Tree.of("cpu", "2", "memory", "4Gi", "pods", "110"),
          new TreeMap<>());

  private final FakeCluster cluster = new FakeCluster(1);

  @Test
  void theNodeIsRegisteredAndItsLeaseIsRenewed() {
    VirtualDriver driver = Worlds.driver(cluster, 1, List.of(new LocalNode(cluster, MACHINE)));

    Worlds.pass(driver, cluster, Duration.ofSeconds(25));

    var node = new Node(cluster.require(Kinds.NODE.key("local")));
    assertThat(node.isReady()).isTrue();
    assertThat(node.status().allocatable()).isEqualTo(MACHINE.capacity());
    assertThat(node.labels()).containsEntry("kubernetes.io/hostname", "local");
    var lease = new Lease(cluster.require(Kinds.LEASE.key("kube-node-lease", "local")));
    assertThat(lease.renewed()).contains(FakeCluster.START.plusSeconds(20));
    assertThat(lease.duration()).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void aNodeOfTheSameNameThatIsNotOursIsLeftAlone() {
    ApiObject foreign = cluster.create(Kinds.NODE, ApiObject.of(Kinds.NODE, "", "local"));
    VirtualDriver driver = Worlds.driver(cluster, 1, List.of(new LocalNode(cluster, MACHINE)));

    Worlds.pass(driver, cluster, Duration.ofSeconds(25));

    assertThat(cluster.require(Kinds.NODE.key("local"))).isEqualTo(foreign);
    LocalNode.remove(cluster, "local");
    assertThat(cluster.list(Kinds.NODE)).hasSize(1);
  }

  @Test
  void theNodeOfAnEarlierRunCanBeRemoved() {
    VirtualDriver driver = Worlds.driver(cluster, 1, List.of(new LocalNode(cluster, MACHINE)));
    driver.settle();
    driver.close();

    LocalNode.remove(cluster, "local");

    assertThat(cluster.list(Kinds.NODE)).isEmpty();
  }
}
