package dev.sluice.controllers.queueing.importing;

import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.StopPolicy;
import dev.sluice.runtime.Cluster;
import java.util.Optional;

/** Where pods of a LocalQueue would be counted. */
record Destination(Cluster cluster) {

  /** What a LocalQueue leads to. */
  sealed interface Leads {}

  /** A ClusterQueue that can count pods. */
  record Open(ClusterQueue queue) implements Leads {}

  /** Nothing that could, and what to mend. */
  record Closed(String why) implements Leads {}

  Leads of(String namespace, String localQueue) {
    Optional<LocalQueue> local =
        cluster.get(Kinds.LOCAL_QUEUE.key(namespace, localQueue)).map(LocalQueue::new);
    if (local.isEmpty()) {
      return new Closed(
          "there is no LocalQueue %s in namespace %s".formatted(localQueue, namespace));
    }
    String name = local.get().clusterQueue();
    Optional<ClusterQueue> found =
        cluster.get(Kinds.CLUSTER_QUEUE.key(name)).map(ClusterQueue::new);
    if (found.isEmpty()) {
      return new Closed(
          "there is no ClusterQueue %s, to which LocalQueue %s/%s belongs"
              .formatted(name, namespace, localQueue));
    }
    if (drains(local.get().stopPolicy()) || drains(found.get().stopPolicy())) {
      return new Closed(
          "LocalQueue %s/%s or its ClusterQueue %s has the stopPolicy HoldAndDrain, by which it would be evicted"
              .formatted(namespace, localQueue, name));
    }
    return missingFlavor(found.get())
        .<Leads>map(flavor ->
            new Closed(
                "there is no ResourceFlavor %s, which ClusterQueue %s has".formatted(flavor, name)))
        .orElseGet(() -> new Open(found.get()));
  }

  private static boolean drains(StopPolicy policy) {
    return policy == StopPolicy.HOLD_AND_DRAIN;
  }

  private Optional<String> missingFlavor(ClusterQueue queue) {
    return queue.resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(flavor -> flavor.name())
        .filter(flavor -> cluster.get(Kinds.RESOURCE_FLAVOR.key(flavor)).isEmpty())
        .findFirst();
  }
}
