package dev.sluice.controllers.queueing.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;

/**
 * A case of one pass over a workload.
 *
 * @param want the lines that the pass adds
 */
record StepCase(String name, Consumer<LifecycleWorld> given, List<String> want) {

  static StepCase when(String name, Consumer<LifecycleWorld> given, String... want) {
    return new StepCase(name, given, List.of(want));
  }

  void assertReconciled() {
    var life = new LifecycleWorld();
    given.accept(life);

    assertThat(life.reconcile()).containsExactlyInAnyOrderElementsOf(want);
  }

  @Override
  public String toString() {
    return name;
  }
}
