package dev.sluice.controllers.queueing.importing;

import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.StopPolicy;
import dev.sluice.runtime.Cluster;
import java.util.Optional;

/** The ClusterQueue in which imported pods of a LocalQueue would use quota. */
record Destination(Cluster cluster) {

  /** The result of the search for that ClusterQueue. */
  sealed interface Result {}

  /** A ClusterQueue that can take pods. */
  record Open(ClusterQueue queue) implements Result {}

  /** No ClusterQueue, and the problem that a user must solve. */
  record Closed(String why) implements Result {}

  Result of(String namespace, String localQueue) {
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
        .<Result>map(flavor ->
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
