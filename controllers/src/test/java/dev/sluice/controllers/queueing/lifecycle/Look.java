package dev.sluice.controllers.queueing.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;

/**
 * A case of one look at a workload.
 *
 * @param want what there is to see after the look that was not there before
 */
record Look(String name, Consumer<Life> given, List<String> want) {

  static Look when(String name, Consumer<Life> given, String... want) {
    return new Look(name, given, List.of(want));
  }

  void check() {
    var life = new Life();
    given.accept(life);

    assertThat(life.look()).containsExactlyInAnyOrderElementsOf(want);
  }

  @Override
  public String toString() {
    return name;
  }
}
