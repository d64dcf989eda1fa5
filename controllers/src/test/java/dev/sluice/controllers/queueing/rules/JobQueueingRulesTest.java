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

/** The validation of Jobs with a parallelism of 3. */
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
              RuleFixtures.job(),
              label(KueueNames.QUEUE_NAME, ""),
              "metadata.labels[kueue.x-k8s.io/queue-name]"),
          new Case(
              "the old annotation is a name too",
              annotation(KueueNames.QUEUE_NAME, "team-a"),
              annotation(KueueNames.QUEUE_NAME, "a b"),
              "metadata.annotations[kueue.x-k8s.io/queue-name]"),
          new Case(
              "a prebuilt workload has a name",
              label(KueueNames.PREBUILT_WORKLOAD, "mine"),
              label(KueueNames.PREBUILT_WORKLOAD, "Mine"),
              "metadata.labels[kueue.x-k8s.io/prebuilt-workload-name]"),
          new Case(
              "a prebuilt workload has a name in an annotation",
              annotation(KueueNames.PREBUILT_WORKLOAD, "mine"),
              annotation(KueueNames.PREBUILT_WORKLOAD, "not mine"),
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
              annotation(KueueNames.ADMISSION_GATED_BY, "example.com/a"),
              annotation(KueueNames.ADMISSION_GATED_BY, "a,a"),
              "metadata.annotations[kueue.x-k8s.io/admission-gated-by]"),
          new Case(
              "a part is a number",
              annotation(KueueNames.JOB_MIN_PARALLELISM, "1"),
              annotation(KueueNames.JOB_MIN_PARALLELISM, "one"),
              "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]"),
          new Case(
              "a part is not nothing",
              annotation(KueueNames.JOB_MIN_PARALLELISM, "1"),
              annotation(KueueNames.JOB_MIN_PARALLELISM, "0"),
              "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]"),
          new Case(
              "a part is not the whole",
              annotation(KueueNames.JOB_MIN_PARALLELISM, "2"),
              annotation(KueueNames.JOB_MIN_PARALLELISM, "3"),
              "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]"),
          new Case(
              "a part is a part of what is left to do",
              annotation(KueueNames.JOB_MIN_PARALLELISM, "2"),
              spec(annotation(KueueNames.JOB_MIN_PARALLELISM, "2"), "completions", 2),
              "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]"),
          new Case(
              "an elastic job starts as a whole",
              elastic(RuleFixtures.job()),
              elastic(annotation(KueueNames.JOB_MIN_PARALLELISM, "2")),
              "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]"),
          new Case(
              "a choice is yes or no",
              annotation(KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM, "false"),
              annotation(KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM, "maybe"),
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
  void newJobIsValidated(Case c) {
    assertThat(RuleFixtures.fields(() -> rules.checkCreate(c.accepted()))).isEmpty();
    assertThat(RuleFixtures.fields(() -> rules.checkCreate(c.refused())))
        .containsExactly(c.field());
    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(c.refused(), c.refused()))).isEmpty();
  }

  /** A change that is valid while the job is suspended, and not while it runs. */
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
              RuleFixtures.job(),
              label(KueueNames.QUEUE_NAME, "a"),
              "metadata.labels[kueue.x-k8s.io/queue-name]"),
          new Change(
              "a priority class cannot be added",
              RuleFixtures.job(),
              label(KueueNames.PRIORITY_CLASS, "high"),
              "metadata.labels[kueue.x-k8s.io/priority-class]"),
          new Change(
              "a priority class cannot be removed",
              label(KueueNames.PRIORITY_CLASS, "high"),
              RuleFixtures.job(),
              "metadata.labels[kueue.x-k8s.io/priority-class]"),
          new Change(
              "the time limit stays",
              label(KueueNames.MAX_EXEC_TIME, "60"),
              label(KueueNames.MAX_EXEC_TIME, "90"),
              "metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]"),
          new Change(
              "the prebuilt workload stays",
              label(KueueNames.PREBUILT_WORKLOAD, "a"),
              annotation(KueueNames.PREBUILT_WORKLOAD, "b"),
              "metadata.labels[kueue.x-k8s.io/prebuilt-workload-name]"),
          new Change(
              "what runs in part is not resized",
              annotation(KueueNames.JOB_MIN_PARALLELISM, "2"),
              spec(annotation(KueueNames.JOB_MIN_PARALLELISM, "2"), "parallelism", 2),
              "spec.parallelism"),
          new Change(
              "completions keep following",
              spec(synchronizing(), "completionMode", "Indexed"),
              spec(RuleFixtures.job(), "completionMode", "Indexed"),
              "metadata.annotations[kueue.x-k8s.io/job-completions-equal-parallelism]"));

  @ParameterizedTest
  @FieldSource("CHANGES")
  void changeOfARunningJobIsRefused(Change c) {
    assertThat(
            RuleFixtures.fields(
                () -> rules.checkUpdate(suspended(c.before()), suspended(c.after()))))
        .isEmpty();
    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(c.before(), c.after())))
        .containsExactly(c.field());
  }

  @Test
  void runningJobCanChangeItsPriorityClass() {
    assertThat(
            RuleFixtures.fields(() ->
                rules.checkUpdate(
                    label(KueueNames.PRIORITY_CLASS, "high"),
                    label(KueueNames.PRIORITY_CLASS, "low"))))
        .isEmpty();
  }

  @Test
  void partialStartIsValid() {
    ApiObject waiting = suspended(annotation(KueueNames.JOB_MIN_PARALLELISM, "2"));
    ApiObject started = new Job(spec(waiting, "parallelism", 2)).withSuspend(false).object();

    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(waiting, started))).isEmpty();
    assertThat(
            RuleFixtures.fields(
                () -> rules.checkUpdate(started, started.withLabel("any", "label"))))
        .isEmpty();
  }

  @Test
  void executionTimeCannotChangeWithSuspension() {
    ApiObject running = label(KueueNames.MAX_EXEC_TIME, "60");

    assertThat(
            RuleFixtures.fields(
                () -> rules.checkUpdate(running, suspended(label(KueueNames.MAX_EXEC_TIME, "90")))))
        .containsExactly("metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]");
  }

  @Test
  void elasticAnnotationIsImmutable() {
    String field = "metadata.annotations[kueue.x-k8s.io/elastic-job]";
    ApiObject rigid = suspended(RuleFixtures.job());

    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(rigid, elastic(rigid))))
        .containsExactly(field);
    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(elastic(rigid), rigid)))
        .containsExactly(field);
    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(elastic(rigid), elastic(rigid))))
        .isEmpty();
  }

  @Test
  void gatesCanOnlyBeRemoved() {
    String field = "metadata.annotations[kueue.x-k8s.io/admission-gated-by]";
    ApiObject one = annotation(KueueNames.ADMISSION_GATED_BY, "a");
    ApiObject two = annotation(KueueNames.ADMISSION_GATED_BY, "a,b");

    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(two, one))).isEmpty();
    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(one, two))).containsExactly(field);
  }

  @Test
  void queueNameCannotBeRemovedWithADefaultQueue() {
    ApiObject queued = suspended(label(KueueNames.QUEUE_NAME, "a"));

    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(queued, suspended(RuleFixtures.job()))))
        .isEmpty();
    RuleFixtures.createDefaultQueue(cluster);
    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(queued, suspended(RuleFixtures.job()))))
        .containsExactly("metadata.labels[kueue.x-k8s.io/queue-name]");
  }

  @Test
  void tooManyLevelsOfOwnersAreRefused() {
    ApiObject job = cluster.create(Kinds.JOB, Worlds.job("j0", spec -> spec));
    for (int level = 1; level < ManagedJobs.MAX_LEVELS; level++) {
      ApiObject child = Worlds.job("j" + level, spec -> spec).controlledBy(job);
      assertThat(RuleFixtures.fields(() -> rules.checkCreate(child))).isEmpty();
      job = cluster.create(Kinds.JOB, child);
    }
    ApiObject last = cluster.create(Kinds.JOB, Worlds.job("j10", spec -> spec).controlledBy(job));

    ApiObject tooDeep = Worlds.job("j11", spec -> spec).controlledBy(last);

    assertThat(RuleFixtures.fields(() -> rules.checkCreate(tooDeep)))
        .containsExactly("metadata.ownerReferences");
  }

  private static ApiObject label(String name, String value) {
    return RuleFixtures.job().withLabel(name, value);
  }

  private static ApiObject annotation(String name, String value) {
    return RuleFixtures.job().withAnnotation(name, value);
  }

  private static ApiObject synchronizing() {
    return annotation(KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM, "true");
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
