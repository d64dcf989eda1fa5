package dev.sluice.model.core.pod;

import dev.sluice.model.Quantities;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The exact requests of a pod: rounding those of each container would make them too large.
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
    Quantities requests = together(pod, container -> container.resources().requests());
    return asAWhole(requests, pod.resources().requests()).plus(pod.overhead());
  }

  /** The limits of a pod; the overhead is added only to resources that have a limit. */
  static Quantities limits(PodSpec pod) {
    Quantities limits = together(pod, container -> container.resources().limits());
    Quantities all = asAWhole(limits, pod.resources().limits());
    var overhead = new TreeMap<>(pod.overhead().byResource());
    overhead.keySet().retainAll(all.byResource().keySet());
    return all.plus(new Quantities(overhead));
  }

  private static Quantities asAWhole(Quantities ofContainers, Quantities ofPod) {
    var all = new TreeMap<>(ofContainers.byResource());
    ofPod.forEach((resource, quantity) -> {
      if (isPodLevel(resource)) {
        all.put(resource, quantity);
      }
    });
    return new Quantities(all);
  }

  /** The requests without pod-level resources, with a default for containers that have none. */
  static Quantities reckoned(PodSpec pod, Quantities least) {
    return together(pod, container -> container.resources().requests().orElse(least))
        .plus(pod.overhead());
  }

  private static Quantities together(PodSpec pod, Function<Container, Quantities> needs) {
    Quantities running = Quantities.NONE;
    Quantities peak = Quantities.NONE;
    for (Container container : pod.initContainers()) {
      Quantities beside = running.plus(needs.apply(container));
      running = container.isSidecar() ? beside : running;
      peak = peak.max(beside);
    }
    for (Container container : pod.containers()) {
      running = running.plus(needs.apply(container));
    }
    return running.max(peak);
  }

  private static boolean isPodLevel(String resource) {
    return resource.equals("cpu") || resource.equals("memory") || resource.startsWith("hugepages-");
  }
}
