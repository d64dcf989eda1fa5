package dev.sluice.engine.admission.cycle;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.Job;
import dev.sluice.engine.admission.QueueSketch;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.queue.Sibling;
import dev.sluice.engine.queue.WorkloadIdentity;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Of several variants of a workload one runs, and on the best flavor it may have. */
class SiblingsTest {
  private static final List<String> FLAVORS = List.of("good", "fair", "poor");

  private static QueueSketch queue(int good, int fair, int poor) {
    return named("q").has("good", "gpu", good).has("fair", "gpu", fair).has("poor", "gpu", poor);
  }

  private static void addPending(
      AdmissionScene scene, Job job, boolean mayPreempt, String... flavors) {
    for (String flavor : flavors) {
      PendingWorkload plain = job.pending();
      scene.engine.workloadPending(
          new PendingWorkload(
              new WorkloadIdentity(plain.namespace(), job.name() + "-" + flavor, flavor),
              "",
              plain.queues(),
              plain.precedence(),
              plain.podSets(),
              Optional.empty(),
              List.of(),
              sibling(job, flavor),
              mayPreempt));
    }
  }

  private static Optional<Sibling> sibling(Job job, String flavor) {
    return Optional.of(new Sibling(job.name(), flavor, FLAVORS.indexOf(flavor)));
  }

  private static void addReservation(
      AdmissionScene scene, Job job, String flavor, boolean admitted) {
    QuotaReservation plain = job.reservation(flavor);
    scene.engine.quotaReserved(
        new QuotaReservation(
            new WorkloadIdentity(plain.namespace(), job.name() + "-" + flavor, flavor),
            "",
            plain.queues(),
            plain.precedence(),
            plain.reservedAt(),
            plain.usage(),
            QuotaReservation.State.of(admitted, false),
            sibling(job, flavor)));
  }

  @Test
  void bestSiblingThatFitsIsAdmittedAlone() {
    AdmissionScene scene = AdmissionScene.classical(queue(1, 2, 2).variants(3));
    addPending(scene, job("j", "q", 2), true, "poor", "fair", "good");

    assertThat(scene.decide())
        .containsExactly("j-fair fair", "j-good: NO_FIT", "j-poor: BETTER_SIBLING");
  }

  @Test
  void siblingWithoutChecksPreemptsTheWorseOneFirst() {
    AdmissionScene scene = AdmissionScene.classical(queue(2, 2, 2).variants(3));
    Job job = job("j", "q", 2);
    addReservation(scene, job, "poor", true);
    addPending(scene, job, true, "fair");
    assertThat(scene.decide()).containsExactly("j-fair evicts: j-poor (FlavorMigration)");

    assertThat(scene.decide()).noneMatch(decision -> decision.equals("j-fair fair"));
    scene.ends("j-poor");
    assertThat(scene.decide()).containsExactly("j-fair fair");
  }

  @Test
  void queueDecidesWhichFlavorsAreMigratedTo() {
    AdmissionScene scene = AdmissionScene.classical(queue(2, 2, 2).variants(1));
    Job job = job("j", "q", 2);
    addReservation(scene, job, "poor", true);
    addPending(scene, job, true, "fair");
    assertThat(scene.decide()).containsExactly("j-fair: MIGRATION_NOT_ALLOWED");

    addPending(scene, job, true, "good");
    assertThat(scene.decide()).contains("j-good evicts: j-poor (FlavorMigration)");
  }

  @Test
  void siblingsHaveTheirChecksDoneInParallel() {
    AdmissionScene scene = AdmissionScene.classical(queue(2, 2, 2).variants(3, "good", "fair"));
    Job job = job("j", "q", 2);
    addPending(scene, job, true, "good", "fair", "poor");

    assertThat(scene.decide()).containsExactly("j-good good", "j-fair fair", "j-poor poor");
  }

  @Test
  void runningSiblingStaysWhileABetterOneIsChecked() {
    AdmissionScene scene = AdmissionScene.classical(queue(2, 2, 2).variants(3, "good"));
    Job job = job("j", "q", 2);
    addReservation(scene, job, "fair", true);
    addPending(scene, job, true, "good", "poor");

    assertThat(scene.decide()).containsExactly("j-good good", "j-poor: BETTER_SIBLING");
  }

  @Test
  void closedGatePreventsPreemptionAndReserves() {
    AdmissionScene scene =
        AdmissionScene.classical(
            queue(2, 0, 0).within(PreemptionPolicy.LOWER_PRIORITY).variants(3));
    scene.runs("good", job("low", "q", 1).priority(-1));
    Job job = job("j", "q", 2).priority(5);
    addPending(scene, job, false, "good");
    scene.pending(job("small", "q", 1));
    assertThat(scene.decide()).containsExactly("small good", "j-good: GATED");

    addPending(scene, job, true, "good");
    assertThat(scene.preempting()).containsExactly("j-good evicts: low, small");
  }

  @Test
  void siblingsOfOtherWorkloadsDoNotCount() {
    AdmissionScene scene = AdmissionScene.classical(queue(2, 2, 0).variants(3));
    addReservation(scene, job("other", "q", 2), "good", true);
    addPending(scene, job("j", "q", 2), true, "good", "fair");

    assertThat(scene.decide()).containsExactly("j-fair fair", "j-good: NO_CANDIDATES");
  }
}
