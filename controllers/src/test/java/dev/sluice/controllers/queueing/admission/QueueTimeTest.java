package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.model.kueue.Workload;
import dev.sluice.testkit.Worlds;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * An evicted workload keeps its position except for two reasons of eviction, which count only while
 * it is evicted: docs/specification/queueing.md#queue-order-timestamp.
 */
class QueueTimeTest {
  private static final Instant CREATED = Instant.parse("2030-01-01T00:00:00Z");
  private static final Instant EVICTED = Instant.parse("2030-01-01T01:00:00Z");

  record Case(String name, String conditions, String configuration, Instant want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("was never evicted", "", "", CREATED),
          new Case("preempted", evicted("True", "Preempted"), "", CREATED),
          new Case("pods not ready", evicted("True", "PodsReadyTimeout"), "", EVICTED),
          new Case(
              "pods not ready, by creation",
              evicted("True", "PodsReadyTimeout"),
              "waitForPodsReady: {requeuingStrategy: {timestamp: Creation}}",
              CREATED),
          new Case("a check's retry", evicted("True", "AdmissionCheck"), "", EVICTED),
          new Case(
              "a check's retry, by creation",
              evicted("True", "AdmissionCheck"),
              "waitForPodsReady: {requeuingStrategy: {timestamp: Creation}}",
              EVICTED),
          new Case("the eviction is over", evicted("False", "AdmissionCheck"), "", CREATED),
          new Case("switched off", evicted("True", "Deactivated"), "", CREATED),
          new Case("by a borrower", preempted("InCohortReclaimWhileBorrowing"), "", CREATED),
          new Case(
              "by a borrower, without priority among queues",
              preempted("InCohortReclaimWhileBorrowing"),
              "featureGates: {PrioritySortingWithinCohort: false}",
              EVICTED.plusMillis(1)),
          new Case(
              "by its own queue, without priority among queues",
              preempted("InClusterQueue"),
              "featureGates: {PrioritySortingWithinCohort: false}",
              CREATED));

  private static String evicted(String holds, String reason) {
    return condition("Evicted", holds, reason);
  }

  private static String preempted(String reason) {
    return evicted("True", "Preempted") + ", " + condition("Preempted", "True", reason);
  }

  private static String condition(String type, String holds, String reason) {
    return "{type: %s, status: \"%s\", reason: %s, lastTransitionTime: %s}"
        .formatted(type, holds, reason, EVICTED);
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void timestampIsCreationOrEviction(Case c) {
    var workload =
        new Workload(
            Worlds.yaml(
                """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: Workload
                metadata: {name: w, namespace: default, creationTimestamp: "%s"}
                status: {conditions: [%s]}
                """
                    .formatted(CREATED, c.conditions())));

    assertThat(QueueTime.of(workload, configuration(c.configuration()))).isEqualTo(c.want());
  }

  private static Configuration configuration(String fields) {
    String head = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";
    return ConfigurationFile.read(head + fields, new TreeMap<>()).configuration();
  }
}
