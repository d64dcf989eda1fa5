package dev.sluice.engine.scheduling.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.SchedulingScene;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClusterStateTest {
  private final SchedulingScene scene = new SchedulingScene().node("n", "cpu: 2, memory: 1Gi");

  @Test
  void thatAPodStartedIsNoNewsButCounts() {
    PodFacts first = scene.pod("first", "cpu: 1");
    PodFacts second = scene.pod("second", "cpu: 1");
    scene.on("n", first).on("n", second);
    long version = scene.state.version();

    assertThat(scene.state.place(second.startedAt(Instant.EPOCH), "n")).isFalse();
    assertThat(scene.state.version()).isEqualTo(version);
    assertThat(scene.place(scene.pod("high", "cpu: 1", "priority: 9")))
        .isEqualTo("after [first] on n");
  }

  @Test
  void thatAPodStartedOnANodeThatIsNotKnownYetCountsToo() {
    PodFacts early = scene.pod("early", "cpu: 1");
    scene.on("late", early);
    scene.state.place(early.startedAt(Instant.EPOCH), "late");
    scene.node("late", "cpu: 2, memory: 1Gi").on("late", scene.pod("other", "cpu: 1"));
    scene.state.removeNode("n");

    assertThat(scene.place(scene.pod("high", "cpu: 1", "priority: 9")))
        .isEqualTo("after [other] on late");
  }

  @Test
  void whatAPodAsksForIsNews() {
    scene.on("n", scene.pod("p", "cpu: 2"));

    assertThat(scene.state.place(scene.pod("p", "cpu: 1"), "n")).isTrue();
    assertThat(scene.state("n").free(ResourceIndex.CPU)).isEqualTo(1000);
  }
}
