package dev.sluice.controllers.queueing.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BreachRecorderTest {
  private final BreachRecorder witness = new BreachRecorder();

  @Test
  void whatIsNotedIsToldOnce() {
    witness.accept("b");
    witness.accept("a");
    witness.accept("b");

    assertThat(witness.take()).containsExactly("a", "b");
    assertThat(witness.take()).isEmpty();
  }

  @Test
  void ofVeryManyAHundredAreKept() {
    IntStream.range(0, 200).forEach(number -> witness.accept("x" + number));

    assertThat(witness.take()).hasSize(100);
  }
}
