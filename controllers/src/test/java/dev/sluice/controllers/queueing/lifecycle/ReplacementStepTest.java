package dev.sluice.controllers.queueing.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.SliceRules;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Slices without an owner, of which {@code wl} replaces {@code old}. */
class ReplacementStepTest {
  private static final ObjectKey OLD = Kinds.WORKLOAD.key("default", "old");
  private static final Duration LIMIT = Duration.ofHours(1);

  private final LifecycleWorld life = new LifecycleWorld();

  private void slices() {
    life.cluster.create(
        Kinds.WORKLOAD,
        Workload.of("default", "old", "lq", List.of()).withMaximumExecutionTime(LIMIT).object());
    life.cluster.patchStatus(
        Kinds.WORKLOAD, life.cluster.require(OLD), LifecycleWorld.admitted(old().status()).tree());
    life.byHand()
        .spec(successor ->
            new Workload(
                successor
                    .withMaximumExecutionTime(LIMIT)
                    .object()
                    .withAnnotation(KueueNames.SLICE_REPLACEMENT_FOR, "default/old")));
  }

  private Workload old() {
    return new Workload(life.cluster.require(OLD));
  }

  @Test
  void admittedSuccessorFinishesTheSliceAndContinuesItsTime() {
    slices();
    life.reconcile();
    assertThat(old().finished()).as("while the successor is pending").isFalse();

    life.pass(Duration.ofMinutes(5)).status(LifecycleWorld::reserved);
    life.status(
        status -> WorkloadTransitions.admit(status, "cq", life.cluster.time().now()).status());
    life.reconcile();
    life.reconcile();

    assertThat(old().status().reason(WorkloadStatus.FINISHED)).isEqualTo(SliceRules.REPLACED);
    assertThat(life.workload().status().accumulatedExecutionTime())
        .isEqualTo(Duration.ofMinutes(5));
    assertThat(life.workload().finished()).isFalse();
  }

  /** A label must not end a workload whose job runs. */
  @Test
  void sliceOfAJobIsLeftToItsIntegration() {
    slices();
    life.cluster.update(
        Kinds.WORKLOAD, old().object().controlledBy(life.cluster.require(LifecycleWorld.JOB)));
    life.status(LifecycleWorld::admitted);

    life.reconcile();

    assertThat(old().finished()).isFalse();
  }
}
