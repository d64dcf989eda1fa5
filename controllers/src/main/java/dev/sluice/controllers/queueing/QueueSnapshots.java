package dev.sluice.controllers.queueing;

import dev.sluice.engine.admission.PendingWorkload;
import dev.sluice.engine.admission.PodSetRequest;
import dev.sluice.engine.admission.QueueSnapshot;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.PodSpec;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.ResourceFlavor;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads from a world what the admission cycle looks at. */
final class QueueSnapshots {
  private QueueSnapshots() {}

  static QueueSnapshot read(Cluster cluster) {
    var reserved = new ArrayList<Admission>();
    var pending = new ArrayList<PendingWorkload>();
    for (ApiObject object : cluster.list(Kinds.WORKLOAD)) {
      var workload = new Workload(object);
      if (!workload.finished()) {
        workload
            .admission()
            .ifPresentOrElse(
                reserved::add,
                () -> {
                  if (!object.isDeleting()) {
                    pending.add(pending(workload));
                  }
                });
      }
    }
    return new QueueSnapshot(
        byPath(cluster, Kinds.RESOURCE_FLAVOR, ResourceFlavor::new),
        byPath(cluster, Kinds.CLUSTER_QUEUE, ClusterQueue::new),
        byPath(cluster, Kinds.LOCAL_QUEUE, LocalQueue::new),
        byPath(cluster, Kinds.NAMESPACE, ApiObject::labels),
        reserved,
        pending);
  }

  private static PendingWorkload pending(Workload workload) {
    ApiObject object = workload.object();
    return new PendingWorkload(
        object.namespace(),
        object.name(),
        object.uid(),
        workload.queueName(),
        workload.priority(),
        object.created().orElse(Instant.EPOCH),
        workload.podSets().stream().map(QueueSnapshots::request).toList());
  }

  private static PodSetRequest request(PodSet podSet) {
    PodSpec pod = podSet.template().spec();
    return new PodSetRequest(
        podSet.name(), podSet.count(), pod.requests().times(podSet.count()), pod);
  }

  private static <T> SortedMap<String, T> byPath(
      Cluster cluster, ResourceKind kind, Function<ApiObject, T> view) {
    var found = new TreeMap<String, T>();
    for (ApiObject object : cluster.list(kind)) {
      found.put(object.path(), view.apply(object));
    }
    return found;
  }
}
