package dev.sluice.controllers.configuration;

import static dev.sluice.controllers.configuration.Files.problems;
import static dev.sluice.controllers.configuration.Files.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.file.InvalidConfigurationException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Hostile files: whatever they contain, the error messages are short. */
class HostileConfigurationTest {
  static final List<String> FIELDS =
      List.of(
          "namespace",
          "webhook",
          "metrics",
          "health",
          "pprofBindAddress",
          "leaderElection",
          "controller",
          "tls",
          "manageJobsWithoutQueueName",
          "managedJobsNamespaceSelector",
          "internalCertManagement",
          "waitForPodsReady",
          "clientConnection",
          "integrations",
          "multiKueue",
          "fairSharing",
          "admissionFairSharing",
          "resources",
          "objectRetentionPolicies",
          "visibilityServer",
          "featureGates");

  static final List<String> STRANGE =
      List.of(
          "[]",
          "{}",
          "[[[]]]",
          "1e999999999",
          "-1",
          "''",
          "0x10",
          "true",
          "[1, {a: b}, null]",
          "{a: {b: {c: []}}}",
          "\"\\u0000\\n\"",
          ".nan",
          "2026-01-01",
          "99999999999999999999");

  /** A file is either valid or refused with messages; nothing else may happen. */
  @ParameterizedTest
  @FieldSource("FIELDS")
  void wrongTypeIsRefused(String field) {
    for (String value : STRANGE) {
      for (String file :
          List.of(
              field + ": " + value,
              "%s: {workloads: %s, timeout: %s, frameworks: %s, qps: %s, resourceWeights: %s}"
                  .formatted(field, value, value, value, value, value))) {
        try {
          read(Files.v1beta2(file));
        } catch (InvalidConfigurationException refused) {
          assertThat(refused.problems())
              .as(file)
              .isNotEmpty()
              .allMatch(line -> !line.contains("\n"));
        }
      }
    }
  }

  @Test
  void fileLargerThanAConfigMapIsRefused() {
    String large = Files.v1beta2("namespace: " + "a".repeat(10 << 20));

    assertThat(problems(large))
        .singleElement()
        .asString()
        .isEqualTo("has %d characters; at most 1048576 are allowed".formatted(large.length()));
  }

  @Test
  void aliasBombIsRefused() {
    var bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 9; i++) {
      String ten = String.join(", ", Collections.nCopies(10, "*a" + (i - 1)));
      bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ten));
    }

    assertThat(problems(Files.v1beta2(bomb.toString())))
        .singleElement()
        .asString()
        .contains("aliases");
  }

  @Test
  void numberOfMessagesIsLimited() {
    var frameworks = new StringBuilder("integrations:\n  frameworks:\n");
    for (int i = 0; i < 5000; i++) {
      frameworks.append("  - x").append(i).append('\n');
    }

    List<String> problems = problems(Files.v1beta2(frameworks.toString()));

    assertThat(problems).hasSize(101).last().isEqualTo("and 4900 more");
  }
}
