package dev.sluice.cli;

import java.util.List;

/**
 * The outcome of one scenario of {@code sluice test}.
 *
 * @param failures none if all is as expected
 */
record TestOutcome(String scenario, List<String> failures, double seconds) {
  TestOutcome {
    failures = List.copyOf(failures);
  }
}
