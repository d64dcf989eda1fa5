package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.flavor.FlavorRules;
import dev.sluice.engine.preemption.PreemptionRules;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What is decided for the whole installation about admission.
 *
 * @param partial whether workloads may start with fewer pods than they ask for
 * @param oneByOne whether nothing is admitted while pods of admitted workloads are not ready
 * @param byPriority whether, among queues of a cohort, priority comes before age
 * @param preemptorsFirst whether workloads that wait for others to give way are served first
 * @param ownQuotaFirst whether, with fair sharing, who stays within quota comes before who borrows
 * @param charge told of every admission where LocalQueues take turns by usage
 * @param wakeUpInterval how long waiting workloads rest, at least, between two looks at them
 */
public record AdmissionRules(
    FlavorRules flavors,
    PreemptionRules preemption,
    boolean partial,
    boolean oneByOne,
    boolean byPriority,
    boolean preemptorsFirst,
    boolean ownQuotaFirst,
    Consumer<AdmissionDecision.Admit> charge,
    Duration wakeUpInterval) {
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
