package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.Cluster;
import dev.sluice.testkit.contract.Capability;
import dev.sluice.testkit.contract.ClusterContract;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The contract of the port, kept by the world in which controllers are tested. */
class FakeClusterTest extends ClusterContract {

  @Override
  protected Cluster cluster() {
    return new FakeCluster(1);
  }

  /** Most tests of controllers are about objects of one namespace, and create none. */
  @Override
  protected Set<Capability> lacks() {
    return Set.of(Capability.CHECKED_NAMESPACES);
  }

  @Override
  protected void runUntil(String what, BooleanSupplier condition) {
    assertThat(condition.getAsBoolean()).as(what).isTrue();
  }
}
