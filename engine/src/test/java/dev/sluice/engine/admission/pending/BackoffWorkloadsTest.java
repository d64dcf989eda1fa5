package dev.sluice.engine.admission.pending;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.queue.PendingWorkload;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workloads that back off: two are pending, and one before them backs off. */
class BackoffWorkloadsTest {
  private final PendingWorkload rests = job("rests", "q", 1).priority(5).through("b").pending();
  private final AdmissionScene scene =
      AdmissionScene.classical(queue("q", 1))
          .pending(job("high", "q", 1).priority(9), job("low", "q", 1).priority(1));

  @BeforeEach
  void addBackingOff() {
    scene.engine.workloadBackingOff(rests);
  }

  private QueueLength length() {
    return scene.engine.lengths().of("q");
  }

  @Test
  void backoffWorkloadIsCountedAndListedInOrder() {
    assertThat(length()).isEqualTo(new QueueLength(3, 1));
    assertThat(scene.engine.lengths().pending("q", "team/b")).isEqualTo(1);
    assertThat(scene.engine.lengths().byLocalQueue("q"))
        .containsEntry("team/b", new QueueLength(1, 1));
    assertThat(scene.engine.pendingIn("q"))
        .extracting(PendingWorkload::name)
        .containsExactly("high", "rests", "low");
  }

  @Test
  void backoffWorkloadIsNotTried() {
    assertThat(scene.decide()).containsExactly("high f", "low: NO_CANDIDATES");
    scene.engine.quotaReleased("team/high");

    assertThat(scene.decide()).containsExactly("low f");
  }

  @Test
  void pendingWorkloadIsAdmittedAfterItsBackoff() {
    scene.engine.workloadPending(rests);

    assertThat(length()).isEqualTo(new QueueLength(3, 0));
    scene.decide();
    scene.engine.quotaReleased("team/high");
    assertThat(scene.decide()).contains("rests f");
  }

  @Test
  void backoffWorkloadReleasesItsQuota() {
    scene.decide();

    scene.engine.workloadBackingOff(job("high", "q", 1).priority(9).pending());

    assertThat(scene.decide()).containsExactly("low f");
    assertThat(length()).isEqualTo(new QueueLength(2, 2));
  }

  @Test
  void backoffEndsWhenTheWorkloadLeavesOrHoldsQuota() {
    for (Consumer<AdmissionQueues> end :
        List.<Consumer<AdmissionQueues>>of(
            engine -> engine.workloadLeft(rests.path()),
            engine -> engine.quotaReserved(job("rests", "q", 1).reservation("f")))) {
      scene.engine.workloadBackingOff(rests);
      end.accept(scene.engine);

      assertThat(scene.engine.pendingIn("q")).doesNotContain(rests);
      assertThat(scene.engine.explain(rests.path())).isEmpty();
    }
  }
}
