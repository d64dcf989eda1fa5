package dev.sluice.controllers.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.integration.BatchJobIntegration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.Ownership;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.Deletion.Propagation;
import dev.sluice.testkit.Worlds;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose pods are whose, when finished Jobs go, and what a Job says before it has pods. */
@Timeout(30)
class JobLifeTest {
  private static final String CHOSEN =
      "{manualSelector: true, selector: {matchLabels: {app: x}}, template: {metadata: {labels:"
          + " {app: x}}}}";

  private final JobWorld world = new JobWorld();

  @AfterEach
  void close() {
    world.close();
  }

  private void orphan(String name, String label) {
    ApiObject pod =
        ApiObject.of(Kinds.POD, "default", name).withLabel("app", label).withSpec(plain());
    world.cluster.create(Kinds.POD, pod);
  }

  private static Tree plain() {
    return Worlds.job("x", spec -> spec).spec().tree("template", "spec");
  }

  @Test
  void aJobAdoptsThePodsOfNobodyThatItSelects() {
    orphan("early", "x");
    orphan("other", "y");
    Job job = world.submit(CHOSEN);

    assertThat(world.pods()).hasSize(2);
    Pod early = world.pods().getFirst();
    assertThat(early.object().controller().orElseThrow().uid()).isEqualTo(job.object().uid());
    assertThat(early.object().finalizers()).containsExactly(Job.TRACKING);
    assertThat(world.status().active()).isEqualTo(1);

    orphan("late", "x");
    world.pass(2);

    assertThat(world.pods()).as("one too many").hasSize(2);
  }

  @Test
  void aJobPartsWithAPodThatItDoesNotSelectAnyMore() {
    world.submit(CHOSEN);
    Pod pod = world.active().getFirst();
    world.cluster.update(Kinds.POD, pod.object().withLabel("app", "y"));
    world.pass(2);

    ApiObject parted = world.cluster.require(pod.key());
    assertThat(parted.owners()).isEmpty();
    assertThat(parted.finalizers()).isEmpty();
    assertThat(world.status().active()).isEqualTo(1);
    assertThat(world.status().failed()).isZero();
    assertThat(world.pods()).hasSize(2);
  }

  @Test
  void finishedJobsGoWhenTheirTimeIsOver() {
    world.submit("{ttlSecondsAfterFinished: 100}");
    Worlds.setPhase(world.cluster, world.active().getFirst(), Pod.Phase.SUCCEEDED);
    world.pass(99);
    assertThat(world.job().object().isDeleting()).isFalse();

    world.change("{ttlSecondsAfterFinished: 200}");
    world.pass(99);
    assertThat(world.job().object().isDeleting()).isFalse();

    world.pass(5);
    assertThat(world.job().object().isDeleting()).isTrue();
    assertThat(world.job().object().finalizers()).containsExactly(Ownership.FOREGROUND);
  }

  @Test
  void aRunningJobStaysWhateverItsTimeAfterTheEnd() {
    world.submit("{ttlSecondsAfterFinished: 0}");
    world.pass(100);

    assertThat(world.job().object().isDeleting()).isFalse();
  }

  @Test
  void aJobThatWasHeldSaysThatItStartedBeforeItHasPods() {
    world.submit("{suspend: true, parallelism: 2, completions: 2}");
    var seen = new ArrayList<Boolean>();
    world.cluster.watch(
        Kinds.POD,
        event -> {
          // Whoever holds the Job back now must not take it for one without pods.
          ApiObject held = world.job().withSuspend(true).object();
          seen.add(new BatchJobIntegration().active(held));
        });
    world.change("{suspend: false}");
    world.pass(2);

    assertThat(world.active()).hasSize(2);
    assertThat(seen).isNotEmpty().containsOnly(true);

    world.change("{suspend: true}");
    world.pass(2);

    assertThat(world.status().holds(JobStatus.SUSPENDED)).isTrue();
    assertThat(new BatchJobIntegration().active(world.job().object())).isFalse();
  }

  /** Whether the controller looks between the Job's deletion and that of its pods, or later. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void podsThatEndBecauseTheirJobIsBeingDeletedDoNotCount(boolean looksBetween) {
    world.submit("{parallelism: 3, completions: 3}");
    world.bind();
    world.pass(2);
    List<Pod> pods = world.active();
    Worlds.setPhase(world.cluster, pods.get(0), Pod.Phase.FAILED);
    world.pass(2);

    world.cluster.delete(
        Kinds.JOB,
        world.job().object(),
        new Deletion(Propagation.FOREGROUND, OptionalLong.empty()));
    if (looksBetween) {
      world.pass(1);
    }
    pods.subList(1, 3)
        .forEach(pod ->
            world.cluster.delete(Kinds.POD, world.cluster.require(pod.key()), Deletion.BACKGROUND));
    Worlds.setPhase(world.cluster, pods.get(1), Pod.Phase.FAILED);
    world.pass(2);

    assertThat(world.status().failed()).as("the one that failed before").isEqualTo(1);
    assertThat(world.pods()).allMatch(pod -> pod.object().finalizers().isEmpty());
  }

  @Test
  void manyPodsThatFailAtOnceAreCountedInBoundedLists() {
    world.submit("{parallelism: 1200, completions: 1200, backoffLimit: 5000}");
    world.pass(1);
    var most = new ArrayList<Integer>();
    world.cluster.watch(
        Kinds.JOB, event -> most.add(new Job(event.object()).status().uncounted().failed().size()));
    List<Pod> pods = world.active();
    pods.forEach(pod -> Worlds.setPhase(world.cluster, pod, Pod.Phase.FAILED));
    world.pass(2);

    assertThat(world.status().failed()).isEqualTo(1200);
    assertThat(most).allMatch(size -> size <= PodTracking.MAX_AT_ONCE);
  }
}
