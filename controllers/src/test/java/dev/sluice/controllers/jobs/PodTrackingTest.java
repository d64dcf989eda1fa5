package dev.sluice.controllers.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.testkit.Worlds;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written about pods that end while the Job works on others. */
final class PodTrackingTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final Job job =
      new Job(
          Worlds.yaml(
              """
              apiVersion: batch/v1
              kind: Job
              metadata: {name: work, namespace: default, uid: j}
              spec: {completionMode: Indexed, completions: 2, parallelism: 2, backoffLimitPerIndex: 0}
              """));

  private PodCounts census(String phase) {
    var pods = new JobPods();
    pods.put(
        new Pod(
            Worlds.yaml(
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: work-1
                  namespace: default
                  uid: p
                  finalizers: [batch.kubernetes.io/job-tracking]
                  annotations:
                    batch.kubernetes.io/job-completion-index: "1"
                    batch.kubernetes.io/job-index-failure-count: "0"
                status: {phase: %s}
                """
                    .formatted(phase))));
    return PodCounts.of(job, pods);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Succeeded", "Failed"})
  void a_pod_that_ends_meanwhile_is_kept_until_its_index_is_known(String phase) {
    PodTracking first =
        PodTracking.register(job, census("Running"), census(phase), JobOutcome.OPEN, NOW);
    assertThat(first.release()).isEmpty();
    assertThat(first.whole()).isFalse();
  }

  @Test
  void the_next_round_lists_it_with_its_index() {
    PodCounts succeeded = census("Succeeded");
    PodTracking next = PodTracking.register(job, succeeded, succeeded, JobOutcome.OPEN, NOW);
    assertThat(next.release()).hasSize(1);
    assertThat(next.whole()).isTrue();
    assertThat(next.status().completedIndexes()).isEqualTo("1");
  }
}
