package dev.sluice.controllers.queueing.rules;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.Int32;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.runtime.Cluster;

/**
 * The rules for the queueing labels and annotations of jobs of every kind. A running job stays in
 * the queue whose quota it uses, so most of them can change only while the job is suspended.
 */
final class QueuedJobRules {
  private static final String QUEUE_NAME = MetadataRules.label(KueueNames.QUEUE_NAME);
  private static final String PRIORITY_CLASS = MetadataRules.label(KueueNames.PRIORITY_CLASS);
  private static final String MAX_EXEC_TIME = MetadataRules.label(KueueNames.MAX_EXEC_TIME);

  private final Configuration configuration;
  private final ManagedJobs jobs;
  private final QueueDefaults defaults;

  QueuedJobRules(Cluster cluster, Configuration configuration) {
    this.configuration = configuration;
    this.jobs = new ManagedJobs(cluster, configuration);
    this.defaults = new QueueDefaults(cluster, configuration);
  }

  /** A change of a job, and whether the job was and is suspended. */
  record Change(ApiObject before, ApiObject after, boolean wasSuspended, boolean isSuspended) {}

  /**
   * Whether a new job may be queued itself: its namespace is selected, and it has no queued
   * ancestor.
   */
  boolean mayBeQueued(ApiObject job) {
    return jobs.selectsNamespace(job.namespace())
        && jobs.ancestry(job) instanceof ManagedJobs.Ancestry.Free;
  }

  boolean wantsQueue(ApiObject job) {
    return jobs.wantsQueue(job);
  }

  /**
   * The job with its defaults; a job that is owned by one without a queue gets no default queue.
   */
  ApiObject withDefaults(ApiObject job) {
    ApiObject queued = jobs.belongsToJob(job) ? job : defaults.withQueue(job);
    return wantsQueue(queued) ? defaults.withPriority(queued) : queued;
  }

  boolean isElastic(ApiObject job) {
    return configuration.has(Gate.ELASTIC_JOBS)
        && job.annotation(KueueNames.ELASTIC_JOB).equals("true");
  }

  /** More levels of owners than are followed could hide a queued ancestor. */
  void checkAncestry(ApiObject job, ValidationErrors problems) {
    if (jobs.ancestry(job) instanceof ManagedJobs.Ancestry.TooDeep) {
      problems.forbidden(
          "metadata.ownerReferences",
          "there are more than %d levels of owners".formatted(ManagedJobs.MAX_LEVELS));
    }
  }

  void check(ApiObject job, ValidationErrors problems) {
    checkNames(job, KueueNames.QUEUE_NAME, job.isA(Kinds.JOB), problems);
    checkNames(job, KueueNames.PREBUILT_WORKLOAD, true, problems);
    String time = job.label(KueueNames.MAX_EXEC_TIME);
    if (job.labels().containsKey(KueueNames.MAX_EXEC_TIME)) {
      if (Int32.positive(time).isEmpty()) {
        problems.invalid(MAX_EXEC_TIME, time, "must be a whole number of seconds greater than 0");
      }
    }
    if (configuration.has(Gate.ADMISSION_GATED_BY)) {
      GateRules.check(job, problems);
    }
  }

  private static void checkNames(
      ApiObject job, String name, boolean alsoAnnotation, ValidationErrors problems) {
    if (job.labels().containsKey(name)) {
      problems.invalidIf(
          NameSyntax.subdomainProblem(job.label(name)), MetadataRules.label(name), job.label(name));
    }
    if (alsoAnnotation && MetadataRules.hasAnnotation(job, name)) {
      String value = job.annotation(name);
      problems.invalidIf(NameSyntax.subdomainProblem(value), MetadataRules.annotation(name), value);
    }
  }

  void checkChange(Change change, ValidationErrors problems) {
    checkQueueName(change, problems);
    checkPriorityClass(change, problems);
    checkPrebuilt(change, problems);
    if (!change.wasSuspended() || !change.isSuspended()) {
      problems.immutable(
          MAX_EXEC_TIME,
          change.before().label(KueueNames.MAX_EXEC_TIME),
          change.after().label(KueueNames.MAX_EXEC_TIME));
    }
    if (isElastic(change.before()) != isElastic(change.after())) {
      problems.forbidden(
          MetadataRules.annotation(KueueNames.ELASTIC_JOB),
          "a job is elastic from the start or not");
    }
    if (configuration.has(Gate.ADMISSION_GATED_BY)) {
      GateRules.checkUpdate(change.before(), change.after(), problems);
    }
  }

  private void checkQueueName(Change change, ValidationErrors problems) {
    String before = ManagedJobs.queueName(change.before());
    String after = ManagedJobs.queueName(change.after());
    if (!change.isSuspended()) {
      problems.immutable(QUEUE_NAME, before, after);
    } else if (after.isEmpty()
        && !before.isEmpty()
        && defaults.existIn(change.after().namespace())) {
      problems.invalid(QUEUE_NAME, after, "cannot be removed where there is a default LocalQueue");
    }
  }

  private static void checkPriorityClass(Change change, ValidationErrors problems) {
    boolean had = !change.before().label(KueueNames.PRIORITY_CLASS).isEmpty();
    String after = change.after().label(KueueNames.PRIORITY_CLASS);
    if (!change.isSuspended() && had == after.isEmpty()) {
      problems.invalid(
          PRIORITY_CLASS, after, "cannot be added or removed while the job is not suspended");
    }
  }

  private void checkPrebuilt(Change change, ValidationErrors problems) {
    if (!change.isSuspended() && !isElastic(change.before())) {
      problems.immutable(
          MetadataRules.label(KueueNames.PREBUILT_WORKLOAD),
          ManagedJobs.prebuilt(change.before()),
          ManagedJobs.prebuilt(change.after()));
    }
  }
}
