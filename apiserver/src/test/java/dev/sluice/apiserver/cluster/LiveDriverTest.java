package dev.sluice.apiserver.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.LiveDriver;
import dev.sluice.runtime.RealTime;
import dev.sluice.store.Stores;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Controllers in real time. */
class LiveDriverTest {

  /** Breaks at one object, whenever it looks at it. */
  private static final class Fragile implements Controller {
    private final CountDownLatch broken = new CountDownLatch(2);
    private final CountDownLatch worked = new CountDownLatch(1);

    @Override
    public String name() {
      return "fragile";
    }

    @Override
    public List<Trigger> triggers() {
      return List.of(Trigger.on(Kinds.CONFIG_MAP));
    }

    @Override
    public Outcome reconcile(ObjectKey key) {
      if (key.name().equals("bad")) {
        broken.countDown();
        throw new StackOverflowError("too deep");
      }
      worked.countDown();
      return Outcome.DONE;
    }
  }

  @Test
  void anObjectThatBreaksAControllerIsTriedAgainAndStopsNoOther() throws InterruptedException {
    var fragile = new Fragile();
    try (var time = new RealTime();
        var store = Stores.inMemory();
        var registry = new StoreRegistry(store, time, new SplittableRandom(1), List.of())) {
      registry.bootstrap();
      var cluster = new EmbeddedCluster(registry, store, time, new SplittableRandom(2));
      cluster.create(Kinds.CONFIG_MAP, ApiObject.of(Kinds.CONFIG_MAP, "default", "bad"));
      cluster.create(Kinds.CONFIG_MAP, ApiObject.of(Kinds.CONFIG_MAP, "default", "good"));
      try (var driver = new LiveDriver(cluster, List.of(fragile))) {
        driver.start();

        assertThat(fragile.broken.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(fragile.worked.await(10, TimeUnit.SECONDS)).isTrue();
      }
    }
  }
}
