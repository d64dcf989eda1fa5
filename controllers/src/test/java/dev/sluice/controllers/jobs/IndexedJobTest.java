package dev.sluice.controllers.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobPod;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.Worlds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class IndexedJobTest {
  private final JobWorld world = new JobWorld();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void everyPodKnowsItsIndex() {
    world.submit("{completionMode: Indexed, completions: 3, parallelism: 2}");

    assertThat(world.activeIndexes()).containsExactly(0L, 1L);
    Pod pod = world.active(1);
    assertThat(pod.name()).matches("j-1-[bcdfghjklmnpqrstvwxz2456789]{5}");
    assertThat(pod.object().metadata().text("generateName")).isEqualTo("j-1-");
    assertThat(pod.object().label(JobPod.INDEX)).isEqualTo("1");
    assertThat(pod.object().annotation(JobPod.INDEX)).isEqualTo("1");
    assertThat(pod.object().annotation(JobPod.FAILURES)).isEmpty();
    assertThat(pod.object().spec().text("hostname")).isEqualTo("j-1");
    assertThat(pod.spec().containers().getFirst().tree().trees("env"))
        .containsExactly(
            Tree.of(
                "name",
                "JOB_COMPLETION_INDEX",
                "valueFrom",
                Tree.of(
                    "fieldRef",
                    Tree.of(
                        "apiVersion",
                        "v1",
                        "fieldPath",
                        "metadata.labels['batch.kubernetes.io/job-completion-index']"))));
  }

  @Test
  void aLongNameKeepsTheIndex() {
    var job =
        new Job(world.submit("{suspend: true}").object().withMetadata("name", "n".repeat(60)));
    var indexed =
        new Job(job.object().withSpec(job.object().spec().with("completionMode", "Indexed")));

    String name =
        new PodMaker(indexed).make(new NewPod.Indexed(12345), world.cluster.random()).name();

    assertThat(name).startsWith("n".repeat(51) + "-12345-").hasSize(63);
  }

  @Test
  void aVariableOfTheUserStays() {
    world.submit(
        "{completionMode: Indexed, completions: 1, template: {spec: {containers: [{name: main, env:"
            + " [{name: JOB_COMPLETION_INDEX, value: x}]}]}}}");

    assertThat(world.active(0).spec().containers().getFirst().tree().trees("env"))
        .containsExactly(Tree.of("name", "JOB_COMPLETION_INDEX", "value", "x"));
  }

  @Test
  void theLowestIndexesComeFirstAndOnesThatSucceededStayDone() {
    world.submit("{completionMode: Indexed, completions: 6, parallelism: 3}");
    world.succeed(1, 2);

    assertThat(world.status().completedIndexes()).isEqualTo("1,2");
    assertThat(world.status().succeeded()).isEqualTo(2);
    assertThat(world.status().uncounted().isEmpty()).isTrue();
    assertThat(world.activeIndexes()).containsExactly(0L, 3L, 4L);

    world.succeed(0, 3, 4);
    world.succeed(5);

    assertThat(world.status().completedIndexes()).isEqualTo("0-5");
    assertThat(world.reason(JobStatus.COMPLETE)).isEqualTo("CompletionsReached");
    assertThat(world.status().tree().has("failedIndexes")).isFalse();
    assertThat(world.pods()).allMatch(pod -> pod.object().finalizers().isEmpty());
  }

  @Test
  void aFailedIndexIsTriedAgain() {
    world.submit("{completionMode: Indexed, completions: 2, parallelism: 2}");
    world.fail(0, 1);
    assertThat(world.activeIndexes()).containsExactly(1L);
    assertThat(world.status().failed()).isEqualTo(1);

    world.pass(10);

    assertThat(world.activeIndexes()).containsExactly(0L, 1L);
  }

  @Test
  void shrinkingForgetsIndexesAndGrowingRunsThemAgain() {
    world.submit("{completionMode: Indexed, completions: 4, parallelism: 4}");
    world.succeed(1, 3);
    world.change("{completions: 2, parallelism: 2}");
    world.pass(2);

    assertThat(world.status().completedIndexes()).isEqualTo("1");
    assertThat(world.status().succeeded()).isEqualTo(1);
    assertThat(world.activeIndexes()).containsExactly(0L);
    assertThat(world.status().failed()).isZero();

    world.change("{completions: 4, parallelism: 4}");
    world.pass(2);

    assertThat(world.activeIndexes()).containsExactly(0L, 2L, 3L);
  }

  @Test
  void shrinkingBelowWhatSucceededCompletes() {
    world.submit("{completionMode: Indexed, completions: 3, parallelism: 3}");
    world.succeed(0);
    world.change("{completions: 1, parallelism: 1}");
    world.pass(2);

    assertThat(world.reason(JobStatus.COMPLETE)).isEqualTo("CompletionsReached");
    assertThat(world.status().completedIndexes()).isEqualTo("0");
  }

  @Test
  void podsThatShareAnIndexOrHaveNoneGo() {
    Job job = world.submit("{completionMode: Indexed, completions: 2, parallelism: 2}");
    world.cluster.create(Kinds.POD, job.pod("j-again", "j-").withAnnotation(JobPod.INDEX, "1"));
    world.cluster.create(Kinds.POD, job.pod("j-lost", "j-"));
    world.cluster.create(Kinds.POD, job.pod("j-beyond", "j-").withAnnotation(JobPod.INDEX, "2"));
    world.pass(3);

    assertThat(world.activeIndexes()).containsExactly(0L, 1L);
    assertThat(world.status().failed()).isZero();
  }

  @Test
  void aPodWithoutAnIndexCountsForNothing() {
    Job job = world.submit("{completionMode: Indexed, completions: 1}");
    world.cluster.create(Kinds.POD, job.pod("j-lost", "j-"));
    world.cluster.create(Kinds.POD, job.pod("j-lost2", "j-"));
    Worlds.setPhase(world.cluster, find("j-lost"), Pod.Phase.SUCCEEDED);
    Worlds.setPhase(world.cluster, find("j-lost2"), Pod.Phase.FAILED);
    world.pass(3);

    assertThat(world.status().succeeded() + world.status().failed()).isZero();
    assertThat(find("j-lost").object().finalizers()).isEmpty();
    assertThat(find("j-lost2").object().finalizers()).isEmpty();
  }

  private Pod find(String name) {
    return world.pods().stream().filter(pod -> pod.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void anIndexWhosePodStillEndsWaitsUnderPolicyFailed() {
    world.submit(
        "{completionMode: Indexed, completions: 2, parallelism: 2, podReplacementPolicy: Failed}");
    world.bind();
    Pod pod = world.active(0);
    world.cluster.delete(Kinds.POD, pod.object(), Deletion.BACKGROUND);
    world.pass(30);

    assertThat(world.activeIndexes()).containsExactly(1L);
    assertThat(world.status().terminating()).isEqualTo(1);

    world.fail(pod, 143);
    world.pass(11);

    assertThat(world.activeIndexes()).containsExactly(0L, 1L);
  }

  @Test
  void aJobOfManyPodsCostsAFewWritesAPod() {
    int pods = 5_000;
    world.submit(
        "{completionMode: Indexed, completions: %d, parallelism: %d}".formatted(pods, pods));
    world.pass(1);
    assertThat(world.active()).hasSize(pods);
    long created = world.cluster.writes();
    world.active().forEach(pod -> Worlds.setPhase(world.cluster, pod, Pod.Phase.SUCCEEDED));
    world.pass(3);

    assertThat(world.reason(JobStatus.COMPLETE)).isEqualTo("CompletionsReached");
    assertThat(world.status().completedIndexes()).isEqualTo("0-4999");
    // One to create a pod; one for its node to tell of its end and one to let it go.
    assertThat(created).isLessThan(pods + 100);
    assertThat(world.cluster.writes() - created).isLessThan(2L * pods + 100);
  }
}
