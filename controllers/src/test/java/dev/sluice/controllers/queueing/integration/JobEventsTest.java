package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.KueueNames;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The events of a job, to the letter: scripts and dashboards read them. */
class JobEventsTest {
  private final QueuedWorld world = new QueuedWorld();

  @Test
  void jobHasEventsOfStartStopAndEnd() {
    world.started();
    String workload = world.workload().object().path();
    assertThat(world.events("j"))
        .containsExactly(
            "Normal CreatedWorkload: Created Workload: " + workload,
            "Normal Started: Admitted by clusterQueue cq");

    world.evict("Preempted");
    world.run();
    assertThat(world.events("j")).contains("Normal Stopped: Go away");

    world.setJobStatus(
        "j", status -> new Condition("Complete", true, "R", "The end").in(status, world.now()));
    world.run();
    assertThat(world.events("j"))
        .contains("Normal FinishedWorkload: Workload '" + workload + "' is declared finished");
  }

  /** The component of an event is the name of the job's integration, as in Kueue. */
  @Test
  void eventsHaveTheComponentOfTheIntegration() {
    world.createJob("j", UnaryOperator.identity());
    world.createPod("p", UnaryOperator.identity());
    world.run();

    assertThat(components("j")).containsExactly("batch/job-kueue-controller");
    assertThat(components("p")).containsExactly("pod-kueue-controller");
  }

  private List<String> components(String object) {
    return world.cluster.list(Kinds.EVENT).stream()
        .map(ApiObject::tree)
        .filter(event -> event.text("involvedObject", "name").equals(object))
        .map(event -> event.text("reportingComponent"))
        .distinct()
        .toList();
  }

  @Test
  void workloadThatDoesNotMatchIsUpdatedOrReplaced() {
    world.createJob("j", job -> job.with(List.of("spec", "completions"), 9));
    world.run();
    String workload = world.workload().object().path();

    world.updateJob(job -> job.with(List.of("spec", "parallelism"), 2));
    world.run();
    assertThat(world.events("j"))
        .contains(
            "Normal UpdatedWorkload: Updated not matching Workload for suspended job: " + workload);

    world.admit(world.workload());
    world.run();
    world.updateJob(job -> job.with(List.of("spec", "parallelism"), 3));
    world.run();
    assertThat(world.events("j"))
        .contains(
            "Normal Stopped: No matching Workload; restoring pod templates according to existent"
                + " Workload",
            "Normal DeletedWorkload: Deleted not matching Workload: " + workload);
  }

  @Test
  void unadmittedJobIsStopped() {
    world.createJob("j", UnaryOperator.identity());
    world.run();
    world.updateJob(job -> new Job(job).withSuspend(false).object());
    world.run();

    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(world.events("j")).contains("Normal Stopped: Not admitted by cluster queue");
  }

  @Test
  void jobWithoutAWorkloadIsStopped() {
    world.createJob("j", job -> new Job(job).withSuspend(false).object());
    world.run();

    assertThat(world.events("j"))
        .contains("Normal Stopped: Missing Workload; unable to restore pod templates");
  }

  @Test
  void messagesOfChecksBecomeEvents() {
    world.createJob("j", UnaryOperator.identity());
    world.run();
    List<CheckState> checks =
        List.of(
            CheckState.pending("one", world.now()).in("Pending", "wait", world.now()),
            CheckState.pending("two", world.now()).in("Pending", "wait more", world.now()),
            CheckState.pending("done", world.now()).in("Ready", "fine", world.now()));
    world.setStatus(world.workload(), world.workload().status().withAdmissionChecks(checks));
    world.reserve(world.workload(), Map.of());
    world.run();

    assertThat(world.events("j"))
        .contains("Normal UpdatedAdmissionCheck: one: wait; two: wait more");
  }

  @Test
  void childIsSuspendedWithItsParent() {
    Job parent = world.createJob("parent", UnaryOperator.identity());
    world.createJob(
        "child",
        job ->
            new Job(job.controlledBy(parent.object()).withoutMetadata("labels"))
                .withSuspend(false)
                .object());
    world.run();

    assertThat(world.events("child"))
        .containsExactly("Normal Suspended: Kueue managed child job suspended");
  }

  @Test
  void jobWithTooManyLevelsOfOwnersGetsAnEvent() {
    ApiObject parent = world.createJob("j0", job -> job.withoutMetadata("labels")).object();
    for (int level = 1; level <= ManagedJobs.MAX_LEVELS + 1; level++) {
      ApiObject above = parent;
      parent =
          world
              .createJob("j" + level, job -> job.controlledBy(above).withoutMetadata("labels"))
              .object();
    }
    world.cluster.update(Kinds.JOB, parent.withLabel(KueueNames.QUEUE_NAME, "lq"));
    world.run();

    assertThat(world.reasons(parent.name())).containsExactly("JobNestingTooDeep");
    assertThat(world.events(parent.name()).getFirst()).startsWith("Warning ");
    assertThat(world.workloads()).isEmpty();
  }
}
