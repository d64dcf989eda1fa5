package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.flavor.FlavorRules;
import dev.sluice.engine.preemption.PreemptionRules;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The rules of admission for the whole installation.
 *
 * @param partialAdmission whether workloads may start with fewer pods than they ask for
 * @param blockUntilPodsReady whether nothing is admitted while pods of admitted workloads are not
 *     ready
 * @param prioritySorting whether, among queues of a cohort, priority comes before age
 * @param preemptorsFirst whether workloads that wait for their victims are processed first
 * @param ownQuotaFirst whether, with fair sharing, entries within the quota of their queue come
 *     before entries that borrow
 * @param charge gets every admission where LocalQueues take turns by usage
 * @param requeueInterval how long inadmissible workloads stay so, at least, between two requeues
 */
public record AdmissionRules(
    FlavorRules flavors,
    PreemptionRules preemption,
    boolean partialAdmission,
    boolean blockUntilPodsReady,
    boolean prioritySorting,
    boolean preemptorsFirst,
    boolean ownQuotaFirst,
    Consumer<AdmissionDecision.Admit> charge,
    Duration requeueInterval) {
  public static final AdmissionRules DEFAULT =
      new AdmissionRules(
          FlavorRules.DEFAULT,
          PreemptionRules.CLASSICAL,
          true,
          false,
          true,
          false,
          true,
          _ -> {},
          Duration.ofMillis(2));
}
