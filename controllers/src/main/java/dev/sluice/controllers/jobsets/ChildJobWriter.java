package dev.sluice.controllers.jobsets;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The writer of the Jobs of JobSets, which creates, suspends, resumes and deletes many at a time.
 *
 * <p>Threads: belongs to the controller; the writes of one call run in parallel.
 */
final class ChildJobWriter {
  /** How many writes run in parallel. */
  private static final int MAX_AT_ONCE = 50;

  private static final Deletion WITH_PODS =
      new Deletion(Deletion.Propagation.FOREGROUND, OptionalLong.empty());

  private final Cluster cluster;
  private final EventRecorder events;

  ChildJobWriter(Cluster cluster, EventRecorder events) {
    this.cluster = cluster;
    this.events = events;
  }

  /**
   * Creates Jobs until some are refused.
   *
   * @return the first refusal
   */
  Optional<ApiException> create(JobSet set, List<ApiObject> wanted) {
    var refusals = Collections.synchronizedList(new ArrayList<ApiException>());
    for (int done = 0; done < wanted.size() && refusals.isEmpty(); done += MAX_AT_ONCE) {
      cluster.together(
          wanted.subList(done, Math.min(done + MAX_AT_ONCE, wanted.size())).stream()
              .<Runnable>map(job -> () -> createOne(set, job).ifPresent(refusals::add))
              .toList());
    }
    return refusals.stream().findFirst();
  }

  private Optional<ApiException> createOne(JobSet set, ApiObject job) {
    try {
      cluster.create(Kinds.JOB, job);
      return Optional.empty();
    } catch (ApiException refused) {
      events.warning(
          set.object(),
          "JobCreationFailed",
          "job %s: %s".formatted(job.name(), refused.getMessage()));
      return Optional.of(refused);
    }
  }

  /** Deletes Jobs with their pods; those that are being deleted already are left alone. */
  void delete(List<Job> unwanted) {
    together(unwanted.stream().filter(job -> !job.object().isDeleting()).toList(), this::deleteOne);
  }

  private void deleteOne(Job job) {
    try {
      cluster.delete(Kinds.JOB, job.object(), WITH_PODS);
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.NOT_FOUND) && !refused.is(ApiFailure.Reason.CONFLICT)) {
        throw refused;
      }
    }
  }

  void suspend(List<Job> running) {
    together(running, job -> cluster.update(Kinds.JOB, job.withSuspend(true).object()));
  }

  /** Starts suspended Jobs, on the nodes that the templates of the JobSet now ask for. */
  void resume(List<Job> suspended, PodTemplate template) {
    together(suspended, job -> resumeOne(job, template));
  }

  /** A Job that has a start time does not let its template change, so that goes first. */
  private void resumeOne(Job job, PodTemplate template) {
    ApiObject idle = job.object();
    if (job.status().started().isPresent()) {
      idle = cluster.patchStatus(Kinds.JOB, idle, job.status().withoutStarted().tree());
    }
    cluster.update(
        Kinds.JOB,
        new Job(idle).withTemplate(merged(job.template(), template)).withSuspend(false).object());
  }

  private static Tree merged(Tree own, PodTemplate wanted) {
    Tree merged = own;
    for (String field : List.of("labels", "annotations")) {
      for (var entry : wanted.tree().texts("metadata", field).entrySet()) {
        merged = merged.with(List.of("metadata", field, entry.getKey()), entry.getValue());
      }
    }
    PodTemplate placed =
        new PodTemplate(merged)
            .selectingNodes(wanted.spec().nodeSelector())
            .tolerating(wanted.tree().trees("spec", "tolerations"));
    var gates = new ArrayList<>(placed.tree().trees("spec", "schedulingGates"));
    wanted.tree().trees("spec", "schedulingGates").stream()
        .filter(gate -> !gates.contains(gate))
        .forEach(gates::add);
    return gates.isEmpty()
        ? placed.tree()
        : placed.tree().with(List.of("spec", "schedulingGates"), Items.of(gates));
  }

  private void together(List<Job> jobs, Consumer<Job> write) {
    for (int from = 0; from < jobs.size(); from += MAX_AT_ONCE) {
      cluster.together(
          jobs.subList(from, Math.min(from + MAX_AT_ONCE, jobs.size())).stream()
              .<Runnable>map(job -> () -> write.accept(job))
              .toList());
    }
  }
}
