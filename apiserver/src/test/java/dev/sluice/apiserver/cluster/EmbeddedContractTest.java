package dev.sluice.apiserver.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.RealTime;
import dev.sluice.store.Store;
import dev.sluice.store.Stores;
import dev.sluice.testkit.contract.ClusterContract;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the port, kept by the durable store, which tells before it answers. */
class EmbeddedContractTest extends ClusterContract {
  private final RealTime time = new RealTime();
  private final SplittableRandom random = new SplittableRandom(1);
  private final Store store;
  private final StoreRegistry registry;

  EmbeddedContractTest(@TempDir Path directory) {
    this.store = Stores.open(directory);
    this.registry = new StoreRegistry(store, time, random, List.of());
  }

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
    time.close();
  }
}
