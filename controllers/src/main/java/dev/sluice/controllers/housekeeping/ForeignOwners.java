package dev.sluice.controllers.housekeeping;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.OwnerReference;
import dev.sluice.runtime.Cluster;

/** The events of objects whose owner is in another namespace, which is invalid. */
final class ForeignOwners {
  private final OwnerGraph graph;
  private final EventRecorder events;

  ForeignOwners(Cluster cluster, OwnerGraph graph) {
    this.graph = graph;
    this.events = new EventRecorder(cluster, "garbage-collector-controller");
  }

  void warn(ObjectKey key, ApiObject object) {
    if (object.isDeleting()) {
      return;
    }
    for (OwnerReference reference : object.owners()) {
      if (graph.isElsewhere(reference, key)) {
        events.warning(
            object,
            "OwnerRefInvalidNamespace",
            "ownerRef [%s/%s, namespace: %s, name: %s, uid: %s] does not exist in namespace \"%s\""
                .formatted(
                    reference.apiVersion(),
                    reference.kind(),
                    key.namespace(),
                    reference.name(),
                    reference.uid(),
                    key.namespace()));
      }
    }
  }
}
