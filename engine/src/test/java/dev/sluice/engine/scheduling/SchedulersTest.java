package dev.sluice.engine.scheduling;

import static dev.sluice.engine.scheduling.Profiles.without;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.queue.Arrivals;
import dev.sluice.engine.scheduling.queue.PodBackoff;
import dev.sluice.engine.scheduling.queue.SchedulingQueue;
import dev.sluice.engine.scheduling.queue.SubQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Several profiles beside each other: each pod is scheduled by the one it asks for. */
class SchedulersTest {
  @Test
  void aPodIsScheduledAndWokenByTheProfileItAsksFor() {
    var scene = new SchedulingScene();
    var schedulers =
        new Schedulers(
            scene.state,
            new DisruptionBudgets(),
            bound -> 0,
            List.of(
                Profile.DEFAULT.named("strict"),
                without(Plugin.NODE_RESOURCES_FIT).named("loose")));

    assertThat(schedulers.know("strict")).isTrue();
    assertThat(schedulers.know("default-scheduler")).isFalse();
    PodFacts strict = scene.pod("s", "cpu: 9", "schedulerName: strict");
    PodFacts loose = scene.pod("l", "cpu: 9", "schedulerName: loose");
    assertThat(schedulers.get(schedulers.number(strict)).profile().name()).isEqualTo("strict");
    assertThat(schedulers.get(schedulers.number(loose)).profile().name()).isEqualTo("loose");
    assertThat(strict.signature()).isNotEqualTo(loose.signature());

    var queue = new SchedulingQueue(scene.state, schedulers, PodBackoff.DEFAULT);
    Instant now = Instant.EPOCH;
    var refused = new TreeSet<>(List.of(Plugin.NODE_RESOURCES_FIT));
    for (PodFacts pod : List.of(strict, loose)) {
      queue.add(pod, now);
      queue.rejected(queue.pop(now).orElseThrow(), refused, now);
    }
    assertThat(queue.refused().keySet()).containsExactly("loose", "strict");
    scene.node("n", "cpu: 4, memory: 8Gi");
    queue.nodeChanged("n", now);

    assertThat(queue.size(SubQueue.UNSCHEDULABLE)).as("only the loose one fits").isEqualTo(1);
    assertThat(queue.arrivals())
        .containsEntry(new Arrivals.Way(SubQueue.ACTIVE, Arrivals.Cause.POD_ADDED), 2L)
        .containsEntry(new Arrivals.Way(SubQueue.UNSCHEDULABLE, Arrivals.Cause.ATTEMPT_FAILED), 2L)
        .containsEntry(new Arrivals.Way(SubQueue.BACKOFF, Arrivals.Cause.NODE_CHANGED), 1L);
  }

  @Test
  void pausesAreAsLongAsConfigured() {
    var backoff = new PodBackoff(Duration.ofSeconds(3), Duration.ofSeconds(20));

    assertThat(List.of(1, 2, 3, 4, 100))
        .map(failures -> backoff.end(Instant.EPOCH, failures).getEpochSecond())
        .containsExactly(3L, 6L, 12L, 20L, 20L);
  }
}
