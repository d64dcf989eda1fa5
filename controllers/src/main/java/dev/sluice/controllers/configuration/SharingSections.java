package dev.sluice.controllers.configuration;

import dev.sluice.controllers.configuration.Configuration.FairSharing;
import dev.sluice.controllers.configuration.Configuration.FairSharing.Strategy;
import dev.sluice.controllers.configuration.Configuration.UsageSharing;
import dev.sluice.controllers.configuration.file.Section;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The sections {@code fairSharing} and {@code admissionFairSharing}. */
final class SharingSections {
  private static final String STRATEGIES = "preemptionStrategies";
  private static final String FINAL = "LessThanOrEqualToFinalShare";
  private static final String INITIAL = "LessThanInitialShare";
  private static final List<List<String>> ALLOWED =
      List.of(List.of(FINAL), List.of(INITIAL), List.of(FINAL, INITIAL));
  private static final Duration SAMPLING = Duration.ofMinutes(5);
  private static final BigDecimal MAX_WEIGHT = BigDecimal.valueOf(1_000_000_000_000L);
  private static final int MAX_DECIMALS = 18;

  private SharingSections() {}

  static Optional<FairSharing> fairSharing(Section root, FileVersion version) {
    boolean old = version == FileVersion.V1BETA1;
    boolean present = root.has("fairSharing");
    Section section = root.section("fairSharing");
    boolean enabled = old ? section.flag("enable", false) : present;
    List<String> names = section.texts(STRATEGIES);
    section.end();
    if (!enabled) {
      section.noEffect("enable is not true", STRATEGIES);
      return Optional.empty();
    }
    // Only the older version has a default; in the newer one the list is required.
    List<String> wanted = old && names.isEmpty() ? List.of(FINAL, INITIAL) : names;
    if (!ALLOWED.contains(wanted)) {
      section.wrong(
          STRATEGIES, "%s is none of: %s".formatted(wanted, String.join(", ", allowed())));
    }
    return Optional.of(new FairSharing(wanted.stream().map(SharingSections::strategy).toList()));
  }

  private static List<String> allowed() {
    return ALLOWED.stream().map(List::toString).toList();
  }

  private static Strategy strategy(String name) {
    return name.equals(INITIAL)
        ? Strategy.LESS_THAN_INITIAL_SHARE
        : Strategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE;
  }

  static Optional<UsageSharing> usageSharing(Section root, Set<Gate> gates) {
    boolean present = root.has("admissionFairSharing");
    Section section = root.section("admissionFairSharing");
    Duration halfLife = section.duration("usageHalfLifeTime").orElse(Duration.ZERO);
    Duration sampling = section.duration("usageSamplingInterval").orElse(SAMPLING);
    if (sampling.isZero()) {
      section.wrong("usageSamplingInterval", "must be longer than 0s");
    }
    SortedMap<String, BigDecimal> weights = weights(section.section("resourceWeights"));
    section.end();
    if (!gates.contains(Gate.ADMISSION_FAIR_SHARING)) {
      root.noEffect("the gate AdmissionFairSharing is false", "admissionFairSharing");
      return Optional.empty();
    }
    return present ? Optional.of(new UsageSharing(halfLife, sampling, weights)) : Optional.empty();
  }

  private static SortedMap<String, BigDecimal> weights(Section section) {
    var weights = new TreeMap<String, BigDecimal>();
    for (String resource : section.names()) {
      section
          .number(resource)
          .ifPresent(weight -> {
            if (isWeight(weight)) {
              weights.put(resource, weight);
            } else {
              section.wrong(
                  resource,
                  "%s is no weight; give a number from 0 to %s with at most %d decimals"
                      .formatted(section.shown(resource), MAX_WEIGHT, MAX_DECIMALS));
            }
          });
    }
    return weights;
  }

  private static boolean isWeight(BigDecimal weight) {
    return weight.signum() >= 0
        && weight.compareTo(MAX_WEIGHT) <= 0
        && weight.scale() <= MAX_DECIMALS;
  }
}
