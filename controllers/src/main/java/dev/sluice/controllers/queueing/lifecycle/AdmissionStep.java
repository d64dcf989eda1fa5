package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.RequiredChecks;
import dev.sluice.controllers.queueing.WorkloadQueues;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.Condition;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * The step that leads a workload to admission, apart from the quota itself: it is requeued when its
 * queues are active again, held by admission gates, gets its required checks and the condition that
 * says what blocks it, and is admitted once quota is reserved and its checks are ready.
 */
final class AdmissionStep implements WorkloadStep {
  private static final String GATED = "AdmissionGated";
  private static final String PENDING = "Workload is pending evaluation in the scheduling queue";
  private static final List<String> NOT_FOR_QUEUES_TO_SAY = List.of(GATED, "OnHold");

  private final Cluster cluster;
  private final Configuration configuration;
  private final ConditionReasons words;
  private final WorkloadWriter writer;

  AdmissionStep(Cluster cluster, Configuration configuration, WorkloadWriter writer) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.words = ConditionReasons.of(configuration);
    this.writer = writer;
  }

  @Override
  public Optional<Outcome> take(Workload workload) {
    var queues = WorkloadQueues.of(workload, cluster);
    return endReservation(workload)
        .or(() -> returnToLocalQueue(workload, queues))
        .or(() -> gate(workload))
        .or(() -> returnToClusterQueue(workload, queues))
        .or(() -> queues.clusterQueue().flatMap(queue -> syncChecks(workload, queue)))
        .or(() -> explain(workload, queues))
        .or(() -> queues.clusterQueue().flatMap(queue -> admit(workload, queue)))
        .or(() -> tellOfChecks(workload));
  }

  /** Removes what is left of a reservation that another client ended by its condition alone. */
  private Optional<Outcome> endReservation(Workload workload) {
    WorkloadStatus status = workload.status();
    boolean ended = !workload.reserved() && (workload.admitted() || status.hasStaleAdmission());
    if (!ended) {
      return Optional.empty();
    }
    String said = status.reason(WorkloadStatus.QUOTA_RESERVED);
    return writer.status(
        workload,
        WorkloadTransitions.release(
            status,
            said.isEmpty() ? words.pending() : said,
            said.isEmpty() ? PENDING : status.message(WorkloadStatus.QUOTA_RESERVED),
            words,
            writer.now()));
  }

  private Optional<Outcome> returnToLocalQueue(Workload workload, WorkloadQueues queues) {
    return queues.localQueueRuns() && stoppedBy("LocalQueueStopped", workload)
        ? requeue(
            workload, "LocalQueueRestarted", "The LocalQueue was restarted after being stopped")
        : Optional.empty();
  }

  private Optional<Outcome> returnToClusterQueue(Workload workload, WorkloadQueues queues) {
    return queues.clusterQueueRuns() && stoppedBy("ClusterQueueStopped", workload)
        ? requeue(
            workload, "ClusterQueueRestarted", "The ClusterQueue was restarted after being stopped")
        : Optional.empty();
  }

  private static boolean stoppedBy(String eviction, Workload workload) {
    WorkloadStatus status = workload.status();
    return status.denies(WorkloadStatus.REQUEUED)
        && status.reason(WorkloadStatus.REQUEUED).equals(eviction);
  }

  private Optional<Outcome> requeue(Workload workload, String reason, String message) {
    return writer.status(
        workload, WorkloadTransitions.requeue(workload.status(), reason, message, writer.now()));
  }

  /** Reserved quota stays: gates only say when a workload may be queued. */
  private Optional<Outcome> gate(Workload workload) {
    if (!configuration.has(Gate.ADMISSION_GATED_BY) || workload.reserved()) {
      return Optional.empty();
    }
    String gates = workload.object().annotation(KueueNames.ADMISSION_GATED_BY);
    boolean wasGated = workload.status().reason(WorkloadStatus.QUOTA_RESERVED).equals(GATED);
    if (gates.isEmpty()) {
      return wasGated ? ungate(workload) : Optional.empty();
    }
    Optional<Outcome> written =
        change(workload, unreserved(workload, GATED, "Admission is gated by: " + gates));
    if (written.isPresent() && !wasGated) {
      writer.normal(workload, GATED, "Workload admission is gated by: " + gates);
    }
    return written;
  }

  private Optional<Outcome> ungate(Workload workload) {
    String message = "AdmissionGatedBy cleared, waiting for quota reservation";
    Optional<Outcome> written = change(workload, unreserved(workload, words.pending(), message));
    writer.normal(
        workload, "AdmissionGateCleared", "Admission gate cleared, workload is now admissible");
    return written;
  }

  private WorkloadStatus unreserved(Workload workload, String reason, String message) {
    return workload.status().with(unreserved(reason, message), writer.now());
  }

  private static Condition unreserved(String reason, String message) {
    return WorkloadTransitions.condition(WorkloadStatus.QUOTA_RESERVED, false, reason, message);
  }

  /** A parent has the checks of the variant whose admission it mirrors. */
  private Optional<Outcome> syncChecks(Workload workload, ClusterQueue queue) {
    if (workload.isParent()) {
      return Optional.empty();
    }
    WorkloadStatus status = workload.status();
    WorkloadStatus synced =
        RequiredChecks.sync(status, RequiredChecks.of(queue, status.admission()), writer.now());
    return change(workload, synced);
  }

  /** Writes the condition that says what blocks a pending workload. */
  private Optional<Outcome> explain(Workload workload, WorkloadQueues queues) {
    if (workload.reserved()) {
      return Optional.empty();
    }
    WorkloadStatus status = workload.status();
    boolean queuesMaySay =
        !NOT_FOR_QUEUES_TO_SAY.contains(status.reason(WorkloadStatus.QUOTA_RESERVED));
    Optional<Condition> blocked =
        queuesMaySay
            ? queues.blocksPending(words).or(() -> failed(status))
            : Optional.<Condition>empty();
    WorkloadStatus explained =
        blocked.map(one -> status.with(one, writer.now())).orElseGet(() -> unblocked(status));
    return change(workload, explicit(explained));
  }

  /**
   * Not every equivalent workload gets a condition of its own from admission, so a condition that
   * blames a queue is replaced here once the queue is active.
   */
  private WorkloadStatus unblocked(WorkloadStatus status) {
    return status.denies(WorkloadStatus.QUOTA_RESERVED)
            && WorkloadQueues.isBlockedMessage(status.message(WorkloadStatus.QUOTA_RESERVED))
        ? status.with(unreserved(words.pending(), PENDING), writer.now())
        : status;
  }

  /** A check may fail before quota is reserved; then none is reserved in vain. */
  private Optional<Condition> failed(WorkloadStatus status) {
    return WorkloadTransitions.checksFailed(status)
        ? Optional.of(unreserved(words.pending(), "The workload has failed admission checks"))
        : Optional.empty();
  }

  /** If the configuration asks for it, a workload has its conditions from the start. */
  private WorkloadStatus explicit(WorkloadStatus status) {
    if (!saysWhyNotAdmitted(status)) {
      return status;
    }
    WorkloadStatus explained = status;
    if (explained.reason(WorkloadStatus.QUOTA_RESERVED).isEmpty()) {
      explained = explained.with(unreserved(words.pending(), PENDING), writer.now());
    }
    return explained.with(
        words.withoutReservation(WorkloadTransitions.checksReady(explained)), writer.now());
  }

  /**
   * With detailed reasons, the condition Admitted is kept up to date; otherwise it is written once.
   */
  private boolean saysWhyNotAdmitted(WorkloadStatus status) {
    return words == ConditionReasons.FINE
        && (configuration.has(Gate.UNADMITTED_EXPLICIT_STATUS)
            || status.denies(WorkloadStatus.ADMITTED));
  }

  private Optional<Outcome> tellOfChecks(Workload workload) {
    WorkloadStatus status = workload.status();
    boolean waits =
        workload.reserved() && !workload.admitted() && !WorkloadTransitions.checksReady(status);
    return waits && saysWhyNotAdmitted(status)
        ? change(workload, status.with(ConditionReasons.WITHOUT_CHECKS, writer.now()))
        : Optional.empty();
  }

  private Optional<Outcome> admit(Workload workload, ClusterQueue queue) {
    WorkloadStatus status = workload.status();
    boolean may =
        workload.reserved()
            && workload.active()
            && !status.holds(WorkloadStatus.EVICTED)
            && WorkloadTransitions.checksReady(status)
            && !status.awaitsTopology();
    if (!may || workload.admitted()) {
      return Optional.empty();
    }
    var admitted = WorkloadTransitions.admit(status, queue.name(), writer.now());
    Optional<Outcome> written = writer.status(workload, admitted.status());
    writer.normal(workload, WorkloadTransitions.ADMITTED, admitted.message());
    return written;
  }

  /** Writes a status if it has changed. */
  private Optional<Outcome> change(Workload workload, WorkloadStatus status) {
    return status.equals(workload.status()) ? Optional.empty() : writer.status(workload, status);
  }
}
