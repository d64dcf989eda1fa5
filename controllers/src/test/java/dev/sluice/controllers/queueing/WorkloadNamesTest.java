package dev.sluice.controllers.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class WorkloadNamesTest {
  private static final String LONG = "a".repeat(250);

  /** The digits are those of {@code printf 'Job\nbatch\nsample\nU' | sha1sum}, and so on. */
  record Case(String name, String owner, String extra, boolean fitsLabel, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("kind, name and hash", "sample", "", false, "job-sample-c8e70"),
          new Case("the generation of an elastic job", "sample", "2", false, "job-sample-2e34b"),
          new Case(
              "cut to what a name may have", LONG, "", false, "job-" + "a".repeat(243) + "-753e6"),
          new Case(
              "cut at a dot, which no hyphen may follow",
              "a".repeat(242) + "." + "b".repeat(9),
              "",
              false,
              "job-" + "a".repeat(242) + "-ca690"),
          new Case(
              "cut to what a label may have", LONG, "", true, "job-" + "a".repeat(53) + "-753e6"));

  /** Kind, name and a hash: docs/specification/job-integration.md#workload-names. */
  @ParameterizedTest
  @FieldSource("CASES")
  void namesAreThoseOfKueue(Case c) {
    ApiObject owner = ApiObject.of(Kinds.JOB, "default", c.owner()).withMetadata("uid", "U");

    String name = WorkloadNames.of(Kinds.JOB, owner, c.extra(), c.fitsLabel());

    assertThat(name).isEqualTo(c.want());
  }
}
