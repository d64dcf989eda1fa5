package dev.sluice.benchmarks.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualRunTest {

  @Test
  void onlyTheWorkloadsTakeTime() {
    WorkloadClass halves = Shape.workloads("half", 5, 10, 1000, 0, 0);

    assertThat(play(halves)).as("two at a time").isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void preemptedWorkloadLosesItsTime() {
    WorkloadClass patient = Shape.workloads("patient", 1, 20, 3000, 0, 0);
    WorkloadClass urgent = Shape.workloads("urgent", 2, 20, 500, 9, 2000);

    assertThat(play(patient, urgent))
        .as("urgent to 0.5 s, patient to 2 s in vain, urgent to 2.5 s, patient again")
        .isEqualTo(Duration.ofMillis(5500));
  }

  private static Duration play(WorkloadClass... classes) {
    return VirtualRun.play(
        new Shape("tiny", 1, 1, List.of(classes), Duration.ofMinutes(1), List.of()));
  }
}
