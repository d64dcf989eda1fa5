package dev.sluice.benchmarks.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShapeTest {

  @Test
  void theShapesAreAsLargeAsThoseOfKueue() {
    assertThat(Shape.BASELINE.workloads()).isEqualTo(15_000);
    assertThat(Shape.BASELINE.queues()).isEqualTo(30);
    assertThat(Shape.LARGE_SCALE.workloads()).isEqualTo(50_000);
    assertThat(Shape.LARGE_SCALE.queues()).isEqualTo(1_000);
  }

  @Test
  void nothingIsFasterThanItsWorkOnItsQuota() {
    assertThat(Shape.BASELINE.lowerBound()).isEqualTo(Duration.ofSeconds(66));
  }

  @Test
  void nothingEndsBeforeTheLastArrivalHasRun() {
    var rare = new WorkloadClass("rare", 3, 1, Duration.ofSeconds(1), 0, Duration.ofSeconds(10));
    var shape = new Shape("slow", 1, 1, List.of(rare), Duration.ofMinutes(1), List.of());

    assertThat(shape.lowerBound()).isEqualTo(Duration.ofSeconds(21));
  }

  @Test
  void aSmallScaleKeepsAtLeastOneWorkloadOfEachClassAndHasNoPeers() {
    Shape small = Shape.LARGE_SCALE.scaled(0.001);

    assertThat(small.classes()).extracting(WorkloadClass::count).containsExactly(1, 1, 1);
    assertThat(small.peers()).isEmpty();
  }

  @Test
  void everyWorkloadArrivesOnceInTheOrderOfItsTime() {
    List<Arrival> arrivals = Arrival.of(Shape.BASELINE.scaled(0.1));

    assertThat(arrivals).extracting(Arrival::name).doesNotHaveDuplicates().hasSize(1_500);
    assertThat(arrivals).extracting(Arrival::after).isSorted();
  }
}
