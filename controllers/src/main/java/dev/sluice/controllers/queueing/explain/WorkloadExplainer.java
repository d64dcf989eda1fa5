package dev.sluice.controllers.queueing.explain;

import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.controllers.queueing.visibility.VisibilityApi;
import dev.sluice.controllers.queueing.visibility.WorkloadSummary;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The explanation of the state of a job: of the Job itself while it has no Workload, of its place
 * in the queue while that is pending, and of its pods once it is admitted.
 */
public final class WorkloadExplainer {
  private static final String NOT_SERVED =
      "no API service serves "
          + VisibilityApi.GROUP
          + " in this cluster. 'sluice manager' does, unless its log says why not or the gate"
          + " VisibilityOnDemand is off";

  private final ObjectReader reader;

  public WorkloadExplainer(ObjectReader reader) {
    this.reader = reader;
  }

  /** Explains a Job by its newest Workload: an elastic job has several for a short time. */
  public Explained job(ApiObject job) {
    return reader.labelled(Kinds.WORKLOAD, job.namespace(), KueueNames.JOB_UID, job.uid()).stream()
        .filter(workload -> new Workload(workload).parent().isEmpty())
        .max(Comparator.comparing(workload -> workload.created().orElseThrow()))
        .map(this::workload)
        .orElseGet(() -> Explained.of(new MissingWorkload(reader, job).summary()));
  }

  /** Explains a pod by the workload of its job or group, or by its own. */
  public Explained pod(ApiObject pod) {
    String group = ManagedJobs.podGroup(pod);
    if (!group.isEmpty()) {
      Optional<ApiObject> workload = reader.get(Kinds.WORKLOAD.key(pod.namespace(), group));
      if (workload.isPresent()) {
        return workload(workload.get());
      }
    }
    Optional<ApiObject> job =
        pod.controller()
            .filter(owner -> owner.kind().equals(Kinds.JOB.kind()))
            .flatMap(owner -> reader.get(Kinds.JOB.key(pod.namespace(), owner.name())));
    return job(job.orElse(pod));
  }

  public Explained workload(ApiObject object) {
    var workload = new Workload(object);
    Optional<LocalQueue> localQueue =
        workload.queueName().isEmpty()
            ? Optional.empty()
            : reader
                .get(Kinds.LOCAL_QUEUE.key(object.namespace(), workload.queueName()))
                .map(LocalQueue::new);
    Optional<ClusterQueue> clusterQueue =
        localQueue
            .flatMap(queue -> reader.get(Kinds.CLUSTER_QUEUE.key(queue.clusterQueue())))
            .map(ClusterQueue::new);
    boolean waits = localQueue.isPresent() && !workload.reserved() && !workload.finished();
    Place place = waits ? place(workload) : new Place(Optional.empty(), "");
    WorkloadSummary summary =
        WorkloadSummary.of(workload, localQueue, clusterQueue, place.item())
            .plus(history(workload));
    return new Explained(summary, place.item(), place.unknown());
  }

  /** The lines about admission, pods and evictions, as far as they apply. */
  private List<String> history(Workload workload) {
    var lines = new ArrayList<String>();
    if (!workload.finished() && workload.admitted() && workload.admission().isPresent()) {
      lines.addAll(AdmissionText.of(workload));
      lines.addAll(PodsText.of(pods(workload), workload));
    }
    lines.addAll(new EvictionText(reader).of(workload));
    return lines;
  }

  /** The pods of a workload's job or group. */
  private List<ApiObject> pods(Workload workload) {
    var pods = new ArrayList<ApiObject>();
    for (OwnerReference owner : workload.object().owners()) {
      String namespace = workload.object().namespace();
      if (owner.kind().equals(Kinds.JOB.kind())) {
        pods.addAll(reader.labelled(Kinds.POD, namespace, PodsText.CONTROLLER_UID, owner.uid()));
      } else if (owner.kind().equals(Kinds.POD.kind())) {
        reader.get(Kinds.POD.key(namespace, owner.name())).ifPresent(pods::add);
      }
    }
    return pods;
  }

  /** The answer of the visibility API, or why there is none. */
  private record Place(Optional<Tree> item, String unknown) {}

  private Place place(Workload workload) {
    ApiObject object = workload.object();
    try {
      Tree pending = reader.pending(object.namespace(), workload.queueName(), object.name());
      Optional<Tree> item =
          pending.trees("items").stream()
              .filter(found -> found.text("metadata", "name").equals(object.name()))
              .findFirst();
      return new Place(item, "");
    } catch (ApiException refused) {
      return new Place(Optional.empty(), whatHelps(refused.failure()));
    }
  }

  private static String whatHelps(ApiFailure failure) {
    boolean queueGone = !failure.name().isEmpty();
    return switch (failure.reason()) {
      case NOT_FOUND -> queueGone ? "" : "its position is not known: " + NOT_SERVED;
      case SERVICE_UNAVAILABLE ->
          "its position is not known, because the API service of %s does not answer: %s; 'kubectl get apiservice %s.%s' says more"
              .formatted(
                  VisibilityApi.GROUP,
                  failure.message(),
                  VisibilityApi.VERSION,
                  VisibilityApi.GROUP);
      case FORBIDDEN ->
          "you may not see its position: %s; the ClusterRole kueue-pending-workloads-lq-viewer-role allows it"
              .formatted(failure.message());
      default -> throw failure.exception();
    };
  }
}
