package dev.sluice.apiserver.registry.rules.batch;

import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.OptionalLong;

/**
 * The validation of the indexed fields of a Job. The limits keep its status small: the worst case
 * is a list of every second index.
 */
final class JobIndexValidation {
  private static final long MAX_PARALLELISM = 100_000;
  private static final long MAX_FAILED = 100_000;
  private static final long MANY_COMPLETIONS = 100_000;
  private static final long MAX_WITH_MANY_COMPLETIONS = 10_000;
  private static final String NEEDS_INDEXES = "requires indexed completion mode";

  private final String field;
  private final Tree spec;
  private final ValidationErrors problems;

  private JobIndexValidation(String field, Tree spec, ValidationErrors problems) {
    this.field = field;
    this.spec = spec;
    this.problems = problems;
  }

  static void check(String field, Tree spec, ValidationErrors problems) {
    var validation = new JobIndexValidation(field, spec, problems);
    if (spec.has("maxFailedIndexes") && !spec.has("backoffLimitPerIndex")) {
      problems.required(field + ".backoffLimitPerIndex", "when maxFailedIndexes is specified");
    }
    String mode = spec.text("completionMode");
    if (mode.equals("Indexed")) {
      validation.checkIndexed();
      validation.checkManyCompletions();
    } else if (mode.isEmpty() || mode.equals("NonIndexed")) {
      validation.checkNonIndexed();
    }
  }

  private void checkNonIndexed() {
    for (String name : new String[] {"backoffLimitPerIndex", "maxFailedIndexes"}) {
      if (spec.has(name)) {
        problems.invalid(field + "." + name, spec.at(name), NEEDS_INDEXES);
      }
    }
    if (spec.has("successPolicy")) {
      problems.invalid(field + ".successPolicy", spec.tree("successPolicy"), NEEDS_INDEXES);
    }
  }

  private void checkIndexed() {
    OptionalLong completions = spec.whole("completions");
    OptionalLong mostFailed = spec.whole("maxFailedIndexes");
    if (completions.isEmpty()) {
      problems.required(field + ".completions", "when completion mode is Indexed");
    }
    atMost("parallelism", MAX_PARALLELISM, "%d when completion mode is Indexed");
    if (completions.isPresent()
        && mostFailed.isPresent()
        && mostFailed.getAsLong() > completions.getAsLong()) {
      problems.invalid(
          field + ".maxFailedIndexes",
          mostFailed.getAsLong(),
          "must be less than or equal to completions");
    }
    atMost("maxFailedIndexes", MAX_FAILED, "%d");
  }

  private void checkManyCompletions() {
    if (spec.whole("completions").orElse(0) <= MANY_COMPLETIONS
        || !spec.has("backoffLimitPerIndex")) {
      return;
    }
    if (!spec.has("maxFailedIndexes")) {
      problems.required(
          field + ".maxFailedIndexes",
          "must be specified when completions is above " + MANY_COMPLETIONS);
    }
    String why =
        "%d when completions are above "
            + MANY_COMPLETIONS
            + " and used with backoff limit per index";
    atMost("parallelism", MAX_WITH_MANY_COMPLETIONS, why);
    atMost("maxFailedIndexes", MAX_WITH_MANY_COMPLETIONS, why);
  }

  private void atMost(String name, long most, String why) {
    long value = spec.whole(name).orElse(0);
    if (value > most) {
      problems.invalid(
          field + "." + name, value, "must be less than or equal to " + why.formatted(most));
    }
  }
}
