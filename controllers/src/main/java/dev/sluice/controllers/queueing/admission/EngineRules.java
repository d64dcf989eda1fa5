package dev.sluice.controllers.queueing.admission;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Configuration.FairSharing.Strategy;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.engine.admission.AdmissionRules;
import dev.sluice.engine.flavor.FlavorRules;
import dev.sluice.engine.preemption.PreemptionRules;
import java.time.Duration;
import java.util.List;

/** The engine's rules as an administrator configured them. */
final class EngineRules {
  private static final Duration PREEMPTION_BUFFER = Duration.ofMinutes(5);

  private EngineRules() {}

  static AdmissionRules of(Configuration configuration) {
    AdmissionRules standard = AdmissionRules.DEFAULT;
    return new AdmissionRules(
        new FlavorRules(
            configuration.has(Gate.FLAVOR_FUNGIBILITY),
            configuration.resources().ignoresUndeclared()),
        preemption(configuration),
        configuration.has(Gate.PARTIAL_ADMISSION),
        configuration
            .waitForPodsReady()
            .map(Configuration.WaitForPodsReady::blockAdmission)
            .orElse(false),
        configuration.has(Gate.PRIORITY_SORTING_WITHIN_COHORT),
        configuration.has(Gate.PRIORITIZE_PREEMPTORS),
        configuration.has(Gate.FAIR_SHARING_PRIORITIZE_NON_BORROWING),
        standard.wakeUpInterval());
  }

  private static PreemptionRules preemption(Configuration configuration) {
    return new PreemptionRules(
        configuration.fairSharing().map(EngineRules::strategies).orElse(List.of()),
        configuration.has(Gate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL),
        configuration.has(Gate.TIMESTAMP_PREEMPTION_BUFFER) ? PREEMPTION_BUFFER : Duration.ZERO,
        (_, _) -> 0);
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
