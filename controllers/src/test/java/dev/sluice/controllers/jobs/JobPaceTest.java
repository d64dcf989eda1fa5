package dev.sluice.controllers.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How fast a Job gets its pods, how soon it tells of them, and when failures hold it back. */
@Timeout(30)
class JobPaceTest {
  private final JobWorld world = new JobWorld();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aLargeJobGrowsByAThousandPodsAtATimeWithoutAPause() {
    var created = new TreeMap<Instant, Integer>();
    world.cluster.watch(
        Kinds.POD,
        event -> {
          if (event.before().isEmpty()) {
            created.merge(world.cluster.time().now(), 1, Integer::sum);
          }
        });
    world.submit("{parallelism: 3500, completions: 3500}");
    world.pass(1);

    assertThat(created.values()).containsExactly(1000, 1000, 1000, 500);
    assertThat(created.lastKey()).isBefore(FakeCluster.START.plusMillis(100));
  }

  @Test
  void onlyTheFirstRoundOfALargeJobBeginsWithOnePod() {
    int[] asked = {0};
    world.cluster.guard((kind, object) -> {
      if (kind.equals(Kinds.POD)) {
        asked[0]++;
        if (world.pods().size() >= 1000) {
          throw ApiFailure.forbidden(object.key(kind), "exceeded quota");
        }
      }
    });
    world.submit("{parallelism: 2500, completions: 2500}");
    world.pass(1);

    assertThat(world.active()).hasSize(1000);
    assertThat(asked[0]).as("the second round asks for all of its pods at once").isEqualTo(2000);
  }

  @Test
  void theFirstChangeIsToldAtOnceAndFurtherOnesWithinASecond() {
    world.submit("{parallelism: 3, completions: 9}");
    world.pass(5);
    List<Pod> pods = world.active();

    Worlds.setPhase(world.cluster, pods.get(0), Pod.Phase.SUCCEEDED);
    world.pass(0);
    assertThat(world.status().succeeded()).isEqualTo(1);

    Worlds.setPhase(world.cluster, pods.get(1), Pod.Phase.SUCCEEDED);
    Worlds.setPhase(world.cluster, pods.get(2), Pod.Phase.SUCCEEDED);
    world.pass(0);
    assertThat(world.status().succeeded()).as("taken together").isEqualTo(1);

    world.pass(1);
    assertThat(world.status().succeeded()).isEqualTo(3);
  }

  @Test
  void theDelayAfterFailuresOutlivesTheController() {
    world.submit("{backoffLimit: 6}");
    world.fail(world.active().getFirst(), 1);
    world.pass(10);
    world.fail(world.active().getFirst(), 1); // two seconds ago, of twenty to wait
    assertThat(world.status().failed()).isEqualTo(2);
    assertThat(world.pods()).allMatch(pod -> pod.object().finalizers().isEmpty());

    world.restart();
    world.pass(17);
    assertThat(world.active()).as("19 s after the second failure").isEmpty();

    world.pass(1);
    assertThat(world.active()).hasSize(1);
  }
}
