package dev.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A hostile tenant costs others neither their position in the queue nor their quota. */
class HostileTenantTest {
  private final QueueScenario town = new QueueScenario();

  @AfterEach
  void close() {
    assertThat(town.breaches()).isEmpty();
    town.close();
  }

  @Test
  void podSetsThatNoIntegerCountsNeverFitAndSaySo() {
    town.queue("q", "9000000000000000", "");
    town.create(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: huge}, spec: {
         queueName: q, priority: 2147483647, podSets: [%s]}}
        """
            .formatted(
                IntStream.range(0, 8)
                    .mapToObj(i ->
                        """
                        {name: p%d, count: 2147483647, template: {spec: {restartPolicy: Never,
                         containers: [{name: c, image: i, resources: {requests: {
                          cpu: 4000000000000000}}}]}}}
                        """
                            .formatted(i))
                    .collect(Collectors.joining(","))));
    town.job("modest", "q", 2, 10);
    town.pass(60);

    var huge =
        new Workload(town.cluster().get(Kinds.WORKLOAD.key("default", "huge")).orElseThrow());
    assertThat(huge.reserved()).isFalse();
    assertThat(huge.status().message(WorkloadStatus.QUOTA_RESERVED))
        .contains("maximum capacity (9P)");
    assertThat(town.state("modest")).isEqualTo("Complete");
  }

  @Test
  void aLongAnnotationStaysWhereItIs() {
    town.queue("q", "2", "");
    town.job("wordy", "q", 1, 10, "", "example.com/story: \"" + "x".repeat(200_000) + "\"");
    town.job("terse", "q", 1, 10);
    town.pass(60);

    assertThat(town.state("wordy")).isEqualTo("Complete");
    assertThat(town.state("terse")).isEqualTo("Complete");
    assertThat(town.workload("wordy").object().tree().toString()).hasSizeLessThan(10_000);
    assertThat(town.cluster().list(Kinds.EVENT))
        .allSatisfy(event -> assertThat(event.tree().toString()).hasSizeLessThan(10_000));
  }

  @Test
  void thousandsOfLocalQueuesAreNoMoreThanOne() {
    town.queue("q", "2", "");
    for (int i = 0; i < 2000; i++) {
      town.create(
          """
          {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: many-%d},
           spec: {clusterQueue: q}}
          """
              .formatted(i));
    }
    town.job("first", "many-0", 2, 10);
    town.job("last", "many-1999", 2, 10);
    town.job("own", "q", 2, 10);
    town.pass(120);

    for (String job : new String[] {"first", "last", "own"}) {
      assertThat(town.state(job)).as(job).isEqualTo("Complete");
    }
  }

  @Test
  void tenantThatAsksForEverythingDoesNotStarveTheOthers() {
    town.queue("greedy", "0", "cohortName: all");
    town.queue("owner", "4", "cohortName: all, preemption: {reclaimWithinCohort: Any}");
    for (int i = 0; i < 50; i++) {
      town.job("greedy-" + i, "greedy", 4, 600);
    }
    town.pass(5);
    town.job("owner", "owner", 4, 30);
    town.pass(60);

    assertThat(town.state("owner")).isEqualTo("Complete");
  }
}
