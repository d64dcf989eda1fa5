package dev.sluice.controllers.queueing.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BreachRecorderTest {
  private final BreachRecorder recorder = new BreachRecorder();

  @Test
  void recordedBreachIsTakenOnce() {
    recorder.accept("b");
    recorder.accept("a");
    recorder.accept("b");

    assertThat(recorder.take()).containsExactly("a", "b");
    assertThat(recorder.take()).isEmpty();
  }

  @Test
  void numberOfBreachesIsLimited() {
    IntStream.range(0, 200).forEach(number -> recorder.accept("x" + number));

    assertThat(recorder.take()).hasSize(100);
  }
}
