package dev.sluice.controllers.queueing.explain;

import dev.sluice.controllers.configuration.file.Suggestion;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.controllers.queueing.integration.JobPriority;
import dev.sluice.controllers.queueing.visibility.WorkloadSummary;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.Timestamps;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.Event;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.kueue.KueueNames;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The reason why a Job or a pod has no Workload: that it needs none, or what prevents one. */
final class MissingWorkload {
  private final ObjectReader reader;
  private final ApiObject job;

  MissingWorkload(ObjectReader reader, ApiObject job) {
    this.reader = reader;
    this.job = job;
  }

  WorkloadSummary summary() {
    return Stream.<Supplier<Optional<WorkloadSummary>>>of(
            this::finished,
            this::owned,
            this::withoutQueue,
            this::withoutPriorityClass,
            this::withoutPrebuiltWorkload,
            this::refused)
        .flatMap(check -> check.get().stream())
        .findFirst()
        .orElseGet(this::notSeen);
  }

  private Optional<WorkloadSummary> finished() {
    if (job.isA(Kinds.POD)) {
      return new Pod(job).isTerminal()
          ? is("Finished", "is finished, " + new Pod(job).phase().word() + ".")
          : Optional.empty();
    }
    JobStatus status = new Job(job).status();
    return Stream.of(JobStatus.COMPLETE, JobStatus.FAILED)
        .flatMap(type -> status.condition(type).filter(_ -> status.holds(type)).stream())
        .findFirst()
        .flatMap(condition ->
            is(
                "Finished",
                "is finished since %s, %s%s. Its Workload is gone."
                    .formatted(
                        condition.text("lastTransitionTime"),
                        condition.text("type"),
                        orNothing(": ", condition.text("message")))));
  }

  private static String orNothing(String separator, String text) {
    return text.isEmpty() ? "" : separator + text;
  }

  /** A job that another queued job owns shares its Workload. */
  private Optional<WorkloadSummary> owned() {
    return job.controller()
        .filter(owner -> owner.kind().equals(Kinds.JOB.kind()))
        .flatMap(owner -> reader.get(Kinds.JOB.key(job.namespace(), owner.name())))
        .filter(owner -> !ManagedJobs.queueName(owner).isEmpty())
        .flatMap(owner ->
            is(
                "Owned",
                "has no Workload of its own, because Job %s owns it: explain that one."
                    .formatted(owner.name())));
  }

  private Optional<WorkloadSummary> withoutQueue() {
    if (!ManagedJobs.queueName(job).isEmpty()) {
      return Optional.empty();
    }
    return is(
        "NotQueued",
        "is not queued: give it the label %s with the name of a LocalQueue."
            .formatted(KueueNames.QUEUE_NAME));
  }

  private Optional<WorkloadSummary> withoutPriorityClass() {
    PodSpec pods = job.isA(Kinds.POD) ? new Pod(job).spec() : new Job(job).podSpec();
    return JobPriority.named(job, pods.priorityClassName())
        .filter(named -> reader.get(named).isEmpty())
        .flatMap(named ->
            blocked(
                "it names %s %s, which does not exist%s"
                    .formatted(named.kind().kind(), named.name(), similar(named))));
  }

  private String similar(ObjectKey missing) {
    ResourceKind kind = missing.kind();
    List<String> known = reader.list(kind, "").stream().map(ApiObject::name).toList();
    String hint = Suggestion.of(missing.name(), known);
    return hint.isEmpty() ? ": create it, or name another." : hint;
  }

  private Optional<WorkloadSummary> withoutPrebuiltWorkload() {
    String prebuilt = ManagedJobs.prebuilt(job);
    boolean missing =
        !prebuilt.isEmpty() && reader.get(Kinds.WORKLOAD.key(job.namespace(), prebuilt)).isEmpty();
    return missing
        ? blocked("it names the prebuilt Workload %s, which does not exist.".formatted(prebuilt))
        : Optional.empty();
  }

  /** The latest warning about the job says what the API or the manager rejected. */
  private Optional<WorkloadSummary> refused() {
    return reader.events(job).stream()
        .map(Event::new)
        .filter(event -> event.type().equals("Warning"))
        .max(Comparator.comparing(MissingWorkload::last))
        .flatMap(event ->
            blocked(
                "%s: %s (at %s)"
                    .formatted(event.reason(), event.message(), Timestamps.format(last(event)))));
  }

  private static Instant last(Event event) {
    return Timestamps.parse(event.object().tree().text("lastTimestamp")).orElse(Instant.EPOCH);
  }

  private WorkloadSummary notSeen() {
    return new WorkloadSummary(
        "NoWorkload",
        "%s has no Workload yet, and no event says why.".formatted(job.path()),
        List.of(
            "No manager may be running, or its managedJobsNamespaceSelector or its integrations"
                + " leave this job out; its log says more."));
  }

  private Optional<WorkloadSummary> blocked(String why) {
    return is("NoWorkload", "has no Workload, because " + why);
  }

  private Optional<WorkloadSummary> is(String state, String rest) {
    return Optional.of(new WorkloadSummary(state, job.path() + " " + rest, List.of()));
  }
}
