package dev.sluice.controllers.queueing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Jobs with a parallelism of 3 at the door. */
class JobQueueingRulesTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private final JobQueueingRules rules = new JobQueueingRules(cluster, Configuration.DEFAULT);

  record Case(String name, ApiObject accepted, ApiObject refused, String field) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> NEW =
      List.of(
          new Case(
              "a queue name is a name",
              label(KueueNames.QUEUE_NAME, "team-a"),
              label(KueueNames.QUEUE_NAME, "Team_A"),
              "metadata.labels[kueue.x-k8s.io/queue-name]"),
          new Case(
              "a queue name is not empty",
              Judged.job(),
              label(KueueNames.QUEUE_NAME, ""),
              "metadata.labels[kueue.x-k8s.io/queue-name]"),
          new Case(
              "the old annotation is a name too",
              note(KueueNames.QUEUE_NAME, "team-a"),
              note(KueueNames.QUEUE_NAME, "a b"),
              "metadata.annotations[kueue.x-k8s.io/queue-name]"),
          new Case(
              "a prebuilt workload has a name",
              label(KueueNames.PREBUILT_WORKLOAD, "mine"),
              label(KueueNames.PREBUILT_WORKLOAD, "Mine"),
              "metadata.labels[kueue.x-k8s.io/prebuilt-workload-name]"),
          new Case(
              "a prebuilt workload has a name in an annotation",
              note(KueueNames.PREBUILT_WORKLOAD, "mine"),
              note(KueueNames.PREBUILT_WORKLOAD, "not mine"),
              "metadata.annotations[kueue.x-k8s.io/prebuilt-workload-name]"),
          new Case(
              "a time limit is a number",
              label(KueueNames.MAX_EXEC_TIME, "60"),
              label(KueueNames.MAX_EXEC_TIME, "1m"),
              "metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]"),
          new Case(
              "a time limit leaves time",
              label(KueueNames.MAX_EXEC_TIME, "1"),
              label(KueueNames.MAX_EXEC_TIME, "0"),
              "metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]"),
          new Case(
              "gates have names",
              note(KueueNames.ADMISSION_GATED_BY, "example.com/a"),
              note(KueueNames.ADMISSION_GATED_BY, "a,a"),
              "metadata.annotations[kueue.x-k8s.io/admission-gated-by]"),
          new Case(
              "a part is a number",
              note(KueueNames.JOB_MIN_PARALLELISM, "1"),
              note(KueueNames.JOB_MIN_PARALLELISM, "one"),
              "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]"),
          new Case(
              "a part is not nothing",
              note(KueueNames.JOB_MIN_PARALLELISM, "1"),
              note(KueueNames.JOB_MIN_PARALLELISM, "0"),
              "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]"),
          new Case(
              "a part is not the whole",
              note(KueueNames.JOB_MIN_PARALLELISM, "2"),
              note(KueueNames.JOB_MIN_PARALLELISM, "3"),
              "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]"),
          new Case(
              "a part is a part of what is left to do",
              note(KueueNames.JOB_MIN_PARALLELISM, "2"),
              spec(note(KueueNames.JOB_MIN_PARALLELISM, "2"), "completions", 2),
              "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]"),
          new Case(
              "an elastic job starts as a whole",
              elastic(Judged.job()),
              elastic(note(KueueNames.JOB_MIN_PARALLELISM, "2")),
              "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]"),
          new Case(
              "a choice is yes or no",
              note(KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM, "false"),
              note(KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM, "maybe"),
              "metadata.annotations[kueue.x-k8s.io/job-completions-equal-parallelism]"),
          new Case(
              "completions follow parallelism where they are counted by index",
              spec(synchronizing(), "completionMode", "Indexed"),
              synchronizing(),
              "metadata.annotations[kueue.x-k8s.io/job-completions-equal-parallelism]"),
          new Case(
              "completions that follow parallelism are equal to it",
              spec(synchronizing(), "completionMode", "Indexed"),
              spec(spec(synchronizing(), "completionMode", "Indexed"), "completions", 4),
              "spec.completions"));

  @ParameterizedTest
  @FieldSource("NEW")
  void judgesNewOnes(Case c) {
    assertThat(Judged.fields(() -> rules.checkCreate(c.accepted()))).isEmpty();
    assertThat(Judged.fields(() -> rules.checkCreate(c.refused()))).containsExactly(c.field());
    assertThat(Judged.fields(() -> rules.checkUpdate(c.refused(), c.refused()))).isEmpty();
  }

  /** A change that passes while the job is suspended, and not while it runs. */
  record Change(String name, ApiObject before, ApiObject after, String field) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Change> CHANGES =
      List.of(
          new Change(
              "the queue stays",
              label(KueueNames.QUEUE_NAME, "a"),
              label(KueueNames.QUEUE_NAME, "b"),
              "metadata.labels[kueue.x-k8s.io/queue-name]"),
          new Change(
              "a running job does not enter a queue",
              Judged.job(),
              label(KueueNames.QUEUE_NAME, "a"),
              "metadata.labels[kueue.x-k8s.io/queue-name]"),
          new Change(
              "a priority class cannot be added",
              Judged.job(),
              label(KueueNames.PRIORITY_CLASS, "high"),
              "metadata.labels[kueue.x-k8s.io/priority-class]"),
          new Change(
              "a priority class cannot be removed",
              label(KueueNames.PRIORITY_CLASS, "high"),
              Judged.job(),
              "metadata.labels[kueue.x-k8s.io/priority-class]"),
          new Change(
              "the time limit stays",
              label(KueueNames.MAX_EXEC_TIME, "60"),
              label(KueueNames.MAX_EXEC_TIME, "90"),
              "metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]"),
          new Change(
              "the prebuilt workload stays",
              label(KueueNames.PREBUILT_WORKLOAD, "a"),
              note(KueueNames.PREBUILT_WORKLOAD, "b"),
              "metadata.labels[kueue.x-k8s.io/prebuilt-workload-name]"),
          new Change(
              "what runs in part is not resized",
              note(KueueNames.JOB_MIN_PARALLELISM, "2"),
              spec(note(KueueNames.JOB_MIN_PARALLELISM, "2"), "parallelism", 2),
              "spec.parallelism"),
          new Change(
              "completions keep following",
              spec(synchronizing(), "completionMode", "Indexed"),
              spec(Judged.job(), "completionMode", "Indexed"),
              "metadata.annotations[kueue.x-k8s.io/job-completions-equal-parallelism]"));

  @ParameterizedTest
  @FieldSource("CHANGES")
  void judgesChangesWhileItRuns(Change c) {
    assertThat(Judged.fields(() -> rules.checkUpdate(suspended(c.before()), suspended(c.after()))))
        .isEmpty();
    assertThat(Judged.fields(() -> rules.checkUpdate(c.before(), c.after())))
        .containsExactly(c.field());
  }

  @Test
  void aRunningJobCanChangeItsPriorityClass() {
    assertThat(
            Judged.fields(() ->
                rules.checkUpdate(
                    label(KueueNames.PRIORITY_CLASS, "high"),
                    label(KueueNames.PRIORITY_CLASS, "low"))))
        .isEmpty();
  }

  @Test
  void aStartInPartPasses() {
    ApiObject waiting = suspended(note(KueueNames.JOB_MIN_PARALLELISM, "2"));
    ApiObject started = new Job(spec(waiting, "parallelism", 2)).withSuspend(false).object();

    assertThat(Judged.fields(() -> rules.checkUpdate(waiting, started))).isEmpty();
    assertThat(Judged.fields(() -> rules.checkUpdate(started, started.withLabel("any", "label"))))
        .isEmpty();
  }

  @Test
  void aTimeLimitIsNotChangedOnTheWayIntoSuspension() {
    ApiObject running = label(KueueNames.MAX_EXEC_TIME, "60");

    assertThat(
            Judged.fields(
                () -> rules.checkUpdate(running, suspended(label(KueueNames.MAX_EXEC_TIME, "90")))))
        .containsExactly("metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]");
  }

  @Test
  void aJobIsElasticFromTheStart() {
    String field = "metadata.annotations[kueue.x-k8s.io/elastic-job]";
    ApiObject rigid = suspended(Judged.job());

    assertThat(Judged.fields(() -> rules.checkUpdate(rigid, elastic(rigid))))
        .containsExactly(field);
    assertThat(Judged.fields(() -> rules.checkUpdate(elastic(rigid), rigid)))
        .containsExactly(field);
    assertThat(Judged.fields(() -> rules.checkUpdate(elastic(rigid), elastic(rigid)))).isEmpty();
  }

  @Test
  void gatesCanOnlyGo() {
    String field = "metadata.annotations[kueue.x-k8s.io/admission-gated-by]";
    ApiObject one = note(KueueNames.ADMISSION_GATED_BY, "a");
    ApiObject two = note(KueueNames.ADMISSION_GATED_BY, "a,b");

    assertThat(Judged.fields(() -> rules.checkUpdate(two, one))).isEmpty();
    assertThat(Judged.fields(() -> rules.checkUpdate(one, two))).containsExactly(field);
  }

  @Test
  void aJobCannotLeaveItsQueueWhereItWouldGetTheDefaultOne() {
    ApiObject queued = suspended(label(KueueNames.QUEUE_NAME, "a"));

    assertThat(Judged.fields(() -> rules.checkUpdate(queued, suspended(Judged.job())))).isEmpty();
    Judged.createDefaultQueue(cluster);
    assertThat(Judged.fields(() -> rules.checkUpdate(queued, suspended(Judged.job()))))
        .containsExactly("metadata.labels[kueue.x-k8s.io/queue-name]");
  }

  @Test
  void aFamilyThatNobodyCanFollowIsRefused() {
    ApiObject job = cluster.create(Kinds.JOB, Worlds.job("j0", spec -> spec));
    for (int level = 1; level < ManagedJobs.MAX_LEVELS; level++) {
      ApiObject child = Worlds.job("j" + level, spec -> spec).controlledBy(job);
      assertThat(Judged.fields(() -> rules.checkCreate(child))).isEmpty();
      job = cluster.create(Kinds.JOB, child);
    }
    ApiObject last = cluster.create(Kinds.JOB, Worlds.job("j10", spec -> spec).controlledBy(job));

    ApiObject tooDeep = Worlds.job("j11", spec -> spec).controlledBy(last);

    assertThat(Judged.fields(() -> rules.checkCreate(tooDeep)))
        .containsExactly("metadata.ownerReferences");
  }

  private static ApiObject label(String name, String value) {
    return Judged.job().withLabel(name, value);
  }

  private static ApiObject note(String name, String value) {
    return Judged.job().withAnnotation(name, value);
  }

  private static ApiObject synchronizing() {
    return note(KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM, "true");
  }

  private static ApiObject elastic(ApiObject job) {
    return job.withAnnotation(KueueNames.ELASTIC_JOB, "true");
  }

  private static ApiObject spec(ApiObject job, String field, Object value) {
    return job.with(List.of("spec", field), value);
  }

  private static ApiObject suspended(ApiObject job) {
    return new Job(job).withSuspend(true).object();
  }
}
