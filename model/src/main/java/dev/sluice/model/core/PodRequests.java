package dev.sluice.model.core;

import dev.sluice.model.Quantities;
import java.util.TreeMap;

/**
 * What a pod needs on its node, exactly: rounding each container would ask for too much.
 *
 * <p>Method: the containers run together, so their requests add up, and sidecars run beside them.
 * Other init containers run before, one at a time, beside the sidecars started so far. The pod
 * needs the larger of both, resource by resource. Example: an init container of 4 cpus, a sidecar
 * of 1 after it and a container of 2 need max(4, 1 + 2) = 4 cpus; with the sidecar first they need
 * max(1 + 4, 1 + 2) = 5.
 */
final class PodRequests {
  private PodRequests() {}

  static Quantities of(PodSpec pod) {
    var requests = new TreeMap<>(together(pod, Quantities.NONE).byResource());
    pod.resources()
        .requests()
        .forEach((resource, quantity) -> {
          if (isPodLevel(resource)) {
            requests.put(resource, quantity);
          }
        });
    return new Quantities(requests).plus(pod.overhead());
  }

  /** Without what is said for the pod as a whole, and with at least so much of each container. */
  static Quantities reckoned(PodSpec pod, Quantities least) {
    return together(pod, least).plus(pod.overhead());
  }

  private static Quantities together(PodSpec pod, Quantities least) {
    Quantities running = Quantities.NONE;
    Quantities peak = Quantities.NONE;
    for (Container container : pod.initContainers()) {
      Quantities beside = running.plus(container.resources().requests().orElse(least));
      running = container.isSidecar() ? beside : running;
      peak = peak.max(beside);
    }
    for (Container container : pod.containers()) {
      running = running.plus(container.resources().requests().orElse(least));
    }
    return running.max(peak);
  }

  private static boolean isPodLevel(String resource) {
    return resource.equals("cpu") || resource.equals("memory") || resource.startsWith("hugepages-");
  }
}
