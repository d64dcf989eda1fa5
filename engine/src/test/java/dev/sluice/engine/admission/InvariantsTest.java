package dev.sluice.engine.admission;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The checks notice what they are there to notice. */
class InvariantsTest {

  /** Beats another as paper, scissors and stone do. */
  private record Sign(int number) implements Comparable<Sign> {
    @Override
    public int compareTo(Sign other) {
      return List.of(0, -1, 1).get(Math.floorMod(number - other.number, 3));
    }
  }

  /** A value that is less than every other. */
  private record Modest(int number) implements Comparable<Modest> {
    @Override
    public int compareTo(Modest other) {
      return number == other.number ? 0 : -1;
    }
  }

  @Test
  void contradictoryComparisonHasNoOrder() {
    assertThat(Invariants.isTotallyOrdered(List.of(3, 1, 2, 2))).isTrue();
    assertThat(Invariants.isTotallyOrdered(List.of(new Sign(0), new Sign(1)))).isTrue();
    assertThat(Invariants.isTotallyOrdered(List.of(new Sign(0), new Sign(1), new Sign(2))))
        .isFalse();
    assertThat(Invariants.isTotallyOrdered(List.of(new Modest(0), new Modest(1)))).isFalse();
  }

  @Test
  void pendingWorkloadThatFitsIsFound() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 3)).pending(job("a", "q", 2), job("b", "q", 2));

    assertThat(Invariants.overlooked(scene.engine, AdmissionScene.NOW, 9))
        .containsExactly("Workload team/a waits, but fits into ClusterQueue q");
    assertThat(Invariants.overlooked(scene.engine, AdmissionScene.NOW, 9)).isEmpty();
  }

  @Test
  void pendingWorkloadBesideVictimsIsNotFound() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 3).in("r"), queue("b", 3).in("r"), queue("c", 3))
            .runs(job("leaving", "b", 1).alreadyEvicted())
            .pending(job("a", "q", 2), job("c", "c", 2));

    assertThat(Invariants.overlooked(scene.engine, AdmissionScene.NOW, 9))
        .containsExactly("Workload team/c waits, but fits into ClusterQueue c");
  }

  @Test
  void overdrawnQueueIsFound() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 3)).runs(job("a", "q", 2), job("b", "q", 2));

    assertThat(Invariants.overdrawn(scene.engine)).containsOnlyKeys("/q f gpu");
    assertThat(Invariants.violations(scene.engine)).isEmpty();
  }
}
