package dev.sluice.controllers.nodes;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.pass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.Lease;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** By which others know that a simulated node lives. */
@Timeout(30)
class NodeLeasesTest {
  private final FakeCluster cluster = new FakeCluster(1);

  @BeforeEach
  void addNode() {
    SimulatedNodeSpec.parse("1:cpu=4")
        .nodes("a", List.of())
        .forEach(node -> cluster.create(Kinds.NODE, node));
  }

  @Test
  void leasesAreRenewedEveryTenSeconds() {
    try (VirtualDriver leases = driver(cluster, 1, List.of(new NodeLeases(cluster)))) {
      pass(leases, cluster, Duration.ofSeconds(25));
    }

    ApiObject lease = cluster.require(Kinds.LEASE.key("kube-node-lease", "simulated-a-0"));
    assertThat(new Lease(lease).holder()).isEqualTo("simulated-a-0");
    assertThat(new Lease(lease).renewed().orElseThrow())
        .isBetween(FakeCluster.START.plusSeconds(20), FakeCluster.START.plusMillis(20_800));
    assertThat(lease.spec().whole("leaseDurationSeconds")).hasValue(40);
    assertThat(lease.owners().getFirst().kind()).isEqualTo("Node");
  }

  @Test
  void aLeaseOfSomebodyElseIsTakenWhenItEnds() {
    Lease others =
        Lease.of("kube-node-lease", "simulated-a-0")
            .held("kwok_1", Duration.ofSeconds(60), FakeCluster.START);
    cluster.create(Kinds.LEASE, others.object());
    try (VirtualDriver leases = driver(cluster, 1, List.of(new NodeLeases(cluster)))) {
      pass(leases, cluster, Duration.ofSeconds(59));
      assertThat(holder()).isEqualTo("kwok_1");

      pass(leases, cluster, Duration.ofSeconds(2));
      assertThat(holder()).isEqualTo("simulated-a-0");
    }
  }

  private String holder() {
    return new Lease(cluster.require(Kinds.LEASE.key("kube-node-lease", "simulated-a-0"))).holder();
  }
}
