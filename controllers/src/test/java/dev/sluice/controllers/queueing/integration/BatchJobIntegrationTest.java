package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.testkit.Worlds;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class BatchJobIntegrationTest {
  private final BatchJobIntegration jobs = new BatchJobIntegration();

  private static ApiObject job(long parallelism, long completions) {
    return Worlds.job(
        "j", spec -> spec.with("parallelism", parallelism).with("completions", completions));
  }

  /** The number of reclaimable pods, and whether all are ready. */
  record Case(String name, ApiObject job, Tree status, int reclaimable, boolean ready) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final ApiObject INDEXED =
      job(3, 5).withSpec(job(3, 5).spec().with("completionMode", "Indexed"));

  static final List<Case> CASES =
      List.of(
          new Case("nothing ended", job(3, 5), Tree.of("ready", 2), 0, false),
          new Case("as many missing as run", job(3, 5), Tree.of("succeeded", 2), 0, false),
          new Case("fewer missing than run", job(3, 5), Tree.of("succeeded", 3), 1, true),
          new Case("all done", job(3, 5), Tree.of("succeeded", 5), 3, true),
          new Case("one pod at a time", job(1, 2), Tree.of("succeeded", 2), 0, true),
          new Case("ready and succeeded", job(3, 5), Tree.of("succeeded", 1, "ready", 2), 0, true),
          new Case("more at once than needed", job(10, 3), Tree.of("succeeded", 1), 1, false),
          new Case(
              "indexes that succeeded or failed for good",
              INDEXED,
              Tree.of("completedIndexes", "0,2-3", "failedIndexes", "1-2", "succeeded", 3),
              2,
              true),
          new Case(
              "indexes beyond the completions do not count",
              INDEXED,
              Tree.of("completedIndexes", "0,4-90"),
              0,
              false));

  @ParameterizedTest
  @FieldSource("CASES")
  void statusDecidesReclaimableAndReadyPods(Case c) {
    ApiObject job = c.job().withStatus(c.status());

    assertThat(jobs.reclaimablePods(job).getOrDefault("main", 0)).isEqualTo(c.reclaimable());
    assertThat(jobs.podsReady(job)).isEqualTo(c.ready());
  }

  /** A suspended job with a status, and whether it may still have pods. */
  record Pods(String name, String spec, String status, boolean active) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String STARTED = "startTime: '2030-01-01T00:00:00Z'";
  private static final String STOPPED = "conditions: [{type: Suspended, status: 'True'}]";

  static final List<Pods> PODS =
      List.of(
          new Pods("never started", "{}", "{}", false),
          new Pods("never started, and says so", "{}", "{" + STOPPED + "}", false),
          new Pods("pods run", "{}", "{active: 1, " + STARTED + "}", true),
          new Pods("pods end", "{}", "{terminating: 1, " + STOPPED + "}", true),
          new Pods("started, without pods in its status", "{}", "{" + STARTED + "}", true),
          new Pods("stopped", "{}", "{" + STARTED + ", " + STOPPED + "}", false),
          new Pods(
              "finished",
              "{}",
              "{" + STARTED + ", conditions: [{type: Complete, status: 'True'}]}",
              false),
          new Pods("run by others", "{managedBy: acme.io/x}", "{" + STARTED + "}", false));

  @ParameterizedTest
  @FieldSource("PODS")
  void suspendedJobIsActiveUntilItsCondition(Pods c) {
    Tree spec = Worlds.yaml(c.spec()).tree();
    ApiObject job = Worlds.job("j", base -> MergePatch.apply(base.with("suspend", true), spec));

    assertThat(jobs.active(job.withStatus(Worlds.yaml(c.status()).tree()))).isEqualTo(c.active());
  }

  @Test
  void podSetHasTheParallelism() {
    ApiObject partial = job(10, 4).withAnnotation(KueueNames.JOB_MIN_PARALLELISM, "2");

    PodSet podSet = jobs.podSets(partial).getFirst();

    assertThat(podSet.count()).isEqualTo(4);
    assertThat(podSet.minCount()).isEqualTo(OptionalInt.of(2));
  }

  /** Every value that validation accepts is read as the same number. */
  @ParameterizedTest
  @CsvSource({"02,2", "+3,3", "4,4", "5,4", "0,", "x,"})
  void minimumIsAtMostThePodCount(String written, @Nullable Integer want) {
    ApiObject job = job(10, 4).withAnnotation(KueueNames.JOB_MIN_PARALLELISM, written);

    OptionalInt least = jobs.podSets(job).getFirst().minCount();

    assertThat(least).isEqualTo(want == null ? OptionalInt.empty() : OptionalInt.of(want));
  }

  @Test
  void invalidMinimumOrThatOfAnElasticJobIsIgnored() {
    ApiObject wrong = job(10, 4).withAnnotation(KueueNames.JOB_MIN_PARALLELISM, "-1");
    ApiObject elastic =
        job(10, 4)
            .withAnnotation(KueueNames.JOB_MIN_PARALLELISM, "2")
            .withAnnotation(KueueNames.ELASTIC_JOB, "true");

    assertThat(jobs.podSets(wrong).getFirst().minCount()).isEmpty();
    assertThat(jobs.podSets(elastic).getFirst().minCount()).isEmpty();
  }
}
