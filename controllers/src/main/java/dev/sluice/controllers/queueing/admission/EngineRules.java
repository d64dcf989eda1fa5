package dev.sluice.controllers.queueing.admission;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Configuration.FairSharing.Strategy;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.fairness.UsageAccounts;
import dev.sluice.engine.flavor.FlavorRules;
import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.model.Amounts;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The engine's rules, made from the configuration. */
final class EngineRules {
  private static final Duration PREEMPTION_BUFFER = Duration.ofMinutes(5);

  private EngineRules() {}

  /** The usage accounts of admission fair sharing, if it is configured. */
  static Optional<UsageAccounts> accounts(Configuration configuration) {
    return configuration
        .usageSharing()
        .map(sharing ->
            new UsageAccounts(sharing.halfLife(), sharing.samplingInterval(), sharing.weights()));
  }

  static AdmissionRules of(Configuration configuration, Optional<UsageAccounts> accounts) {
    AdmissionRules standard = AdmissionRules.DEFAULT;
    return new AdmissionRules(
        new FlavorRules(
            configuration.has(Gate.FLAVOR_FUNGIBILITY),
            configuration.resources().ignoresUndeclared()),
        preemption(configuration, accounts),
        configuration.has(Gate.PARTIAL_ADMISSION),
        configuration
            .waitForPodsReady()
            .map(Configuration.WaitForPodsReady::blockAdmission)
            .orElse(false),
        configuration.has(Gate.PRIORITY_SORTING_WITHIN_COHORT),
        configuration.has(Gate.PRIORITIZE_PREEMPTORS),
        configuration.has(Gate.FAIR_SHARING_PRIORITIZE_NON_BORROWING),
        admit -> accounts.ifPresent(all -> charge(all, admit)),
        standard.requeueInterval());
  }

  private static void charge(UsageAccounts accounts, AdmissionDecision.Admit admit) {
    PendingWorkload workload = admit.workload();
    var total = new TreeMap<String, Long>();
    for (PodSetRequest podSet : workload.podSets()) {
      Set<String> assigned =
          admit
              .admission()
              .of(podSet.name())
              .map(assignment -> assignment.flavors().keySet())
              .orElse(Set.of());
      podSet
          .total()
          .forEach((resource, amount) -> {
            if (assigned.contains(resource)) { // a resource without quota costs nothing
              total.merge(resource, amount, Amounts::sum);
            }
          });
    }
    accounts.charge(workload.localQueuePath(), workload.path(), new Amounts(total));
  }

  private static PreemptionRules preemption(
      Configuration configuration, Optional<UsageAccounts> accounts) {
    return new PreemptionRules(
        configuration.fairSharing().map(EngineRules::strategies).orElse(List.of()),
        configuration.has(Gate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL),
        configuration.has(Gate.TIMESTAMP_PREEMPTION_BUFFER) ? PREEMPTION_BUFFER : Duration.ZERO,
        accounts.<Comparator<String>>map(all -> all).orElse(PreemptionRules.REGARDLESS_OF_USAGE));
  }

  private static List<PreemptionRules.Strategy> strategies(Configuration.FairSharing sharing) {
    return sharing.strategies().stream().map(EngineRules::strategy).toList();
  }

  private static PreemptionRules.Strategy strategy(Strategy strategy) {
    return switch (strategy) {
      case LESS_THAN_OR_EQUAL_TO_FINAL_SHARE ->
          PreemptionRules.Strategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE;
      case LESS_THAN_INITIAL_SHARE -> PreemptionRules.Strategy.LESS_THAN_INITIAL_SHARE;
    };
  }
}
