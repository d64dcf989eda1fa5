package dev.sluice.controllers.queueing.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;

/**
 * A case of one pass over a workload.
 *
 * @param want the lines that the pass adds
 */
record Look(String name, Consumer<Life> given, List<String> want) {

  static Look when(String name, Consumer<Life> given, String... want) {
    return new Look(name, given, List.of(want));
  }

  void assertPass() {
    var life = new Life();
    given.accept(life);

    assertThat(life.pass()).containsExactlyInAnyOrderElementsOf(want);
  }

  @Override
  public String toString() {
    return name;
  }
}
