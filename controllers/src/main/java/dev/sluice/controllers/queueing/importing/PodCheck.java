package dev.sluice.controllers.queueing.importing;

import dev.sluice.controllers.configuration.QueueMapping.Rule;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.controllers.queueing.ManagedJobs.Ancestry;
import dev.sluice.controllers.queueing.PodDemand;
import dev.sluice.controllers.queueing.RequiredChecks;
import dev.sluice.controllers.queueing.importing.Finding.Grant;
import dev.sluice.controllers.queueing.importing.Finding.Imported;
import dev.sluice.controllers.queueing.importing.Finding.Problem;
import dev.sluice.controllers.queueing.importing.Finding.Ready;
import dev.sluice.controllers.queueing.importing.Finding.Skipped;
import dev.sluice.controllers.queueing.integration.pod.ImportedPodWorkloads;
import dev.sluice.model.Amounts;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import java.util.List;
import java.util.Optional;

/** The decision what an import writes for a pod, from the current pod and queues. */
final class PodCheck {
  private static final Finding SKIPPED = new Skipped();
  private static final Finding IMPORTED = new Imported();

  private final Cluster cluster;
  private final ImportTerms terms;
  private final ManagedJobs managed;
  private final ImportedPodWorkloads workloads;
  private final PodDemand demand;
  private final Destination destination;

  PodCheck(Cluster cluster, ImportTerms terms) {
    this.cluster = cluster;
    this.terms = terms;
    this.managed = new ManagedJobs(cluster, terms.configuration());
    this.workloads = new ImportedPodWorkloads(cluster, terms.configuration());
    this.demand = new PodDemand(cluster, terms.configuration());
    this.destination = new Destination(cluster);
  }

  /**
   * @param own the workload that the pod owns, if it has one
   */
  Finding of(ApiObject pod, Optional<Workload> own) {
    if (ImportedPodWorkloads.isHeld(pod) || managed.ancestry(pod) instanceof Ancestry.Child) {
      return SKIPPED; // it is queued already, or the job that owns it is
    }
    Optional<Rule> rule = terms.mapping().ruleFor(new Pod(pod));
    if (rule.isEmpty()) {
      return new Problem("no rule says where it goes; add one, with skip: true to leave it out");
    }
    return rule.get().localQueue().map(queue -> in(queue, pod, own)).orElse(SKIPPED);
  }

  private Finding in(String localQueue, ApiObject pod, Optional<Workload> own) {
    ApiObject labelled = ImportedPodWorkloads.queued(pod, localQueue);
    for (var label : terms.labels().entrySet()) {
      labelled = labelled.withLabel(label.getKey(), label.getValue());
    }
    Optional<String> unfit = unfit(pod, labelled).or(() -> otherQueue(pod, localQueue));
    if (unfit.isPresent()) {
      return new Problem(unfit.get());
    }
    return switch (destination.of(pod.namespace(), localQueue)) {
      case Destination.Closed(String why) -> new Problem(why);
      case Destination.Open(ClusterQueue queue) ->
          own.isPresent()
              ? existingWorkload(pod, labelled, own.get(), queue)
              : newWorkload(labelled, new FirstFlavors(queue));
    };
  }

  /** The problem because of which a pod cannot be queued itself. */
  private Optional<String> unfit(ApiObject pod, ApiObject labelled) {
    if (!managed.selectsNamespace(pod.namespace())) {
      return Optional.of("pods of namespace %s are never queued".formatted(pod.namespace()));
    }
    if (managed.ancestry(pod) instanceof Ancestry.TooDeep) {
      return Optional.of("has more than %d levels of owners".formatted(ManagedJobs.MAX_LEVELS));
    }
    String group = ManagedJobs.podGroup(labelled);
    if (!group.isEmpty()) {
      return Optional.of("belongs to pod group %s; import takes single pods".formatted(group));
    }
    String prebuilt = ManagedJobs.prebuilt(labelled);
    if (!prebuilt.isEmpty()) {
      return Optional.of(
          "names the prebuilt workload %s; import makes its own".formatted(prebuilt));
    }
    List<String> devices = new Pod(pod).spec().deviceClaims();
    return devices.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "claims devices (%s), which no quota counts yet".formatted(String.join(", ", devices)));
  }

  private static Optional<String> otherQueue(ApiObject pod, String localQueue) {
    String before = ManagedJobs.queueName(pod);
    return before.isEmpty() || before.equals(localQueue)
        ? Optional.empty()
        : Optional.of(
            "is in LocalQueue %s already; the rules say %s".formatted(before, localQueue));
  }

  private Finding newWorkload(ApiObject labelled, FirstFlavors flavors) {
    Workload created;
    try {
      created = workloads.of(labelled);
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.NOT_FOUND)) {
        throw refused;
      }
      return new Problem("its priority class is missing: " + refused.getMessage());
    }
    ApiObject workload = created.object();
    if (cluster.get(workload.key(Kinds.WORKLOAD)).isPresent()) {
      return new Problem(
          "Workload %s has its name and is not its own; delete that".formatted(workload.path()));
    }
    for (var label : terms.labels().entrySet()) {
      workload = workload.withLabel(label.getKey(), label.getValue());
    }
    return granted(labelled, new Workload(workload), flavors);
  }

  private Finding existingWorkload(
      ApiObject pod, ApiObject labelled, Workload own, ClusterQueue queue) {
    boolean marked = labelled.equals(pod);
    boolean over = own.finished() || own.object().isDeleting() || !own.active();
    if (over || own.status().holds(WorkloadStatus.EVICTED)) {
      return marked ? IMPORTED : mismatch(own, "is evicted or over");
    }
    if (!own.queueName().equals(ManagedJobs.queueName(labelled))) {
      return mismatch(own, "is in LocalQueue " + own.queueName());
    }
    if (!workloads.match(labelled, own)) {
      return mismatch(own, "asks for something else");
    }
    if (!own.admitted() || own.admission().isEmpty()) {
      return granted(labelled, own, new FirstFlavors(queue));
    }
    return marked ? IMPORTED : new Ready(labelled, own, Optional.empty());
  }

  private static Finding mismatch(Workload own, String what) {
    return new Problem("its Workload %s %s; delete that".formatted(own.object().path(), what));
  }

  private Finding granted(ApiObject labelled, Workload workload, FirstFlavors flavors) {
    ClusterQueue queue = flavors.queue();
    Amounts needed = demand.perPod(labelled.namespace(), new Pod(labelled).spec());
    List<String> uncovered = flavors.uncovered(needed);
    if (!uncovered.isEmpty()) {
      return new Problem(
          "ClusterQueue %s has no quota for %s; add some, or exclude the prefix"
              .formatted(queue.name(), String.join(", ", uncovered)));
    }
    Admission admission = workload.admission().orElseGet(() -> flavors.admission(needed));
    var checks = RequiredChecks.of(queue, Optional.of(admission));
    return new Ready(labelled, workload, Optional.of(new Grant(admission, checks)));
  }
}
