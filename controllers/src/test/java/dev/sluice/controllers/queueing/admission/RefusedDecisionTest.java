package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.status.QueueStatusController;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.Controller.Outcome;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The status of a queue that was read while a decision was being written that was then refused. */
class RefusedDecisionTest {
  private static final ObjectKey W = Kinds.WORKLOAD.key("default", "w");

  @ParameterizedTest
  @ValueSource(strings = {"clusterqueues", "localqueues"})
  void statusOfAQueueIsComputedAgainAfterTheWrite(String plural) {
    var world = new QueueWorld();
    world.clusterQueue("cq", "", 9).localQueue("default", "a", "cq");
    world.clusterQueue("other", "", 9).localQueue("default", "b", "other");
    world.workload("default", "w", "a", 0, 1);
    QueueCache cache = QueueCache.rebuilt(world.cluster, world.configuration());
    var controller = new QueueStatusController(world.cluster, cache, world.configuration());
    ObjectKey queue =
        plural.equals("clusterqueues")
            ? Kinds.CLUSTER_QUEUE.key("cq")
            : Kinds.LOCAL_QUEUE.key("default", "a");
    assertThat(cache.decide(world.cluster.time().now(), 9)).hasSize(1);

    assertThat(controller.reconcile(queue)).isEqualTo(Outcome.again(Duration.ofSeconds(1)));
    assertThat(reserving(world, queue)).isEqualTo(1);

    world.spec(W, spec -> spec.with("queueName", "b"));
    cache.assumptionEnded(W);
    world.cluster.time().after(Duration.ofSeconds(2), () -> {});
    world.cluster.time().step();

    assertThat(controller.reconcile(queue)).isEqualTo(Outcome.DONE);
    assertThat(reserving(world, queue)).isZero();
  }

  private static long reserving(QueueWorld world, ObjectKey queue) {
    return world.cluster.require(queue).status().whole("reservingWorkloads").orElseThrow();
  }
}
