package dev.sluice.controllers.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.PrometheusText;
import dev.sluice.model.Kinds;
import dev.sluice.testkit.Worlds;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is measured about Jobs, as a scrape shows it. */
@Timeout(30)
class JobMetersTest {
  private final JobWorld world = new JobWorld();

  @AfterEach
  void close() {
    world.close();
  }

  /** The lines of a metric, without what all names begin with. */
  private List<String> lines(String metric) {
    return PrometheusText.of(world.controller.measurements())
        .lines()
        .filter(line -> line.startsWith("job_controller_" + metric + "{"))
        .map(line -> line.substring("job_controller_".length() + metric.length()))
        .toList();
  }

  @Test
  void podsAndJobsAreCountedByHowTheyEnd() {
    world.submit("{completions: 2, parallelism: 2, backoffLimit: 1}");
    world.fail(world.active().getFirst(), 1);
    world.pass(15);
    world.active().forEach(pod -> world.succeed(pod));

    assertThat(lines("job_pods_finished_total"))
        .containsExactlyInAnyOrder(
            "{completion_mode=\"NonIndexed\",result=\"failed\"} 1.0",
            "{completion_mode=\"NonIndexed\",result=\"succeeded\"} 2.0");
    assertThat(lines("jobs_finished_total"))
        .containsExactly(
            "{completion_mode=\"NonIndexed\",reason=\"CompletionsReached\",result=\"succeeded\"}"
                + " 1.0");
    assertThat(lines("job_pods_creation_total"))
        .containsExactlyInAnyOrder(
            "{reason=\"new\",status=\"succeeded\"} 2.0",
            "{reason=\"recreate_terminating_or_failed\",status=\"succeeded\"} 1.0");
    assertThat(lines("terminated_pods_tracking_finalizer_total"))
        .containsExactlyInAnyOrder("{event=\"add\"} 3.0", "{event=\"delete\"} 3.0");
  }

  @Test
  void indexesAreCountedByTheLimitThatHoldsForThem() {
    world.submit(
        "{completionMode: Indexed, completions: 3, parallelism: 3, backoffLimitPerIndex: 0}");
    world.fail(1, 1);
    world.succeed(0, 2);

    assertThat(lines("job_finished_indexes_total"))
        .containsExactlyInAnyOrder(
            "{backoffLimit=\"perIndex\",status=\"failed\"} 1.0",
            "{backoffLimit=\"perIndex\",status=\"succeeded\"} 2.0");
    assertThat(lines("jobs_finished_total"))
        .containsExactly(
            "{completion_mode=\"Indexed\",reason=\"FailedIndexes\",result=\"failed\"} 1.0");
  }

  @Test
  void failuresThatARuleMatchedAreCountedByItsAction() {
    world.submit(
        "{parallelism: 2, completions: 2, podFailurePolicy: {rules: [{action: Ignore, onExitCodes:"
            + " {operator: In, values: [5]}}]}}");
    world.fail(world.active().getFirst(), 5);
    world.fail(world.active().getFirst(), 1);

    assertThat(lines("pod_failures_handled_by_failure_policy_total"))
        .containsExactly("{action=\"Ignore\"} 1.0");
  }

  @Test
  void looksAreTimedByWhatTheyDid() {
    world.submit("{}");

    assertThat(lines("job_syncs_total"))
        .contains(
            "{action=\"pods_created\",completion_mode=\"NonIndexed\",result=\"success\"} 1.0");
    assertThat(lines("job_sync_duration_seconds_bucket"))
        .contains(
            "{action=\"pods_created\",completion_mode=\"NonIndexed\",result=\"success\","
                + "le=\"0.004\"} 1");
  }

  @Test
  void jobsOfOtherManagersAreCountedByNameButNotEndlessly() {
    for (int i = 0; i < 120; i++) {
      String manager = "acme.io/m" + i;
      world.cluster.create(
          Kinds.JOB, Worlds.job("other-" + i, spec -> spec.with("managedBy", manager)));
    }
    world.pass(1);

    assertThat(lines("jobs_by_external_controller_total"))
        .hasSize(101)
        .contains("{controller_name=\"acme.io/m7\"} 1.0", "{controller_name=\"other\"} 20.0");
  }
}
