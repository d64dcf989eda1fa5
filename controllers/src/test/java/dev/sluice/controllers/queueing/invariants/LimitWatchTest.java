package dev.sluice.controllers.queueing.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.testkit.Worlds;
import org.junit.jupiter.api.Test;

class LimitWatchTest {
  private final Breaches world = new Breaches();
  private final LimitWatch watch = new LimitWatch(world.cluster, Configuration.DEFAULT);

  @Test
  void usageAboveTheQuotaIsABreachWhileItLasts() {
    world.admitted("a", 3);
    assertThat(watch.look()).isEmpty();
    world.admitted("b", 3);

    String breach = "/q f cpu is over its limit by 2000";
    assertThat(watch.look()).containsExactly(breach);
    assertThat(watch.look()).containsExactly(breach);
  }

  @Test
  void cutQuotaToleratesItsUsageButNoGrowth() {
    world.admitted("a", 3);
    watch.look();
    cutTo(2);
    assertThat(watch.look()).isEmpty();
    assertThat(watch.look()).isEmpty();

    world.admitted("b", 1);

    assertThat(watch.look()).containsExactly("/q f cpu is over its limit by 2000");
  }

  private void cutTo(int cpus) {
    ApiObject queue = world.cluster.require(Kinds.CLUSTER_QUEUE.key("q"));
    world.cluster.update(
        Kinds.CLUSTER_QUEUE, queue.withSpec(Worlds.yaml(Breaches.queue(cpus)).spec()));
  }
}
