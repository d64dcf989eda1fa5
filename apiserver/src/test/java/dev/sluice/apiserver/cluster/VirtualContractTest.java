package dev.sluice.apiserver.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.VirtualTime;
import dev.sluice.store.Store;
import dev.sluice.store.Stores;
import dev.sluice.testkit.contract.ClusterContract;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/**
 * The contract of the port, kept by the store in memory under virtual time, where nothing waits.
 */
class VirtualContractTest extends ClusterContract {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final SplittableRandom random = new SplittableRandom(1);
  private final Store store = Stores.inMemory();
  private final StoreRegistry registry = new StoreRegistry(store, time, random, List.of());

  @Override
  protected Cluster cluster() {
    registry.bootstrap();
    return new EmbeddedCluster(registry, store, time, random);
  }

  @Override
  protected void runUntil(String what, BooleanSupplier condition) {
    assertThat(condition.getAsBoolean()).as(what).isTrue();
  }

  @AfterEach
  void close() {
    registry.close();
    store.close();
  }
}
