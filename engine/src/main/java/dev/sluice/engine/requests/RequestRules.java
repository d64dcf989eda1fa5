package dev.sluice.engine.requests;

import dev.sluice.model.Amounts;
import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import dev.sluice.model.core.LimitRange;
import dev.sluice.model.core.RuntimeClass;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.core.pod.ResourceNeeds;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The rules that turn the requests of a pod into requests for quota.
 *
 * <p>Method: the pod is completed as Kubernetes completes it, its request is computed by
 * Kubernetes' rule, resources with an excluded prefix are dropped, and the transformations are
 * applied to what is left. All of it is exact; only the result is rounded up, to whole units and
 * thousandths of a cpu. No result is negative.
 *
 * <p>Example: with a transformation of {@code nvidia.com/mig-1g.5gb} to 5Gi of {@code
 * example.com/gpu-memory} that replaces its input, a pod with two such slices and one cpu requests
 * 10Gi of gpu memory and one cpu.
 *
 * @param transformations at most one for each input
 */
public record RequestRules(List<String> excludedPrefixes, List<Transformation> transformations) {
  /** Pods are counted as they are. */
  public static final RequestRules NONE = new RequestRules(List.of(), List.of());

  public RequestRules {
    excludedPrefixes = List.copyOf(excludedPrefixes);
    transformations = List.copyOf(transformations);
  }

  /**
   * The quota that one pod requests.
   *
   * @param ranges the LimitRanges of its namespace, in an order that does not change
   * @param runtimeClass the RuntimeClass that the pod names, if it exists
   */
  public Amounts perPod(PodSpec pod, List<LimitRange> ranges, Optional<RuntimeClass> runtimeClass) {
    Quantities requests = counted(completed(pod, ranges, runtimeClass).exactRequests());
    return notNegative(transformed(requests)).amounts();
  }

  /** Why a pod like this could never be created; empty if it could. */
  public List<ResourceProblem> problems(
      PodSpec pod, List<LimitRange> ranges, Optional<RuntimeClass> runtimeClass) {
    return ResourceChecks.of(completed(pod, ranges, runtimeClass), ranges);
  }

  private static PodSpec completed(
      PodSpec pod, List<LimitRange> ranges, Optional<RuntimeClass> runtimeClass) {
    Bounds containers = Bounds.ofContainers(ranges);
    PodSpec completed =
        pod.withContainers(
            container -> container.withResources(containers.fill(container.resources())));
    ResourceNeeds ofPod = pod.resources();
    if (!ofPod.isEmpty()) {
      completed = completed.withResources(Bounds.ofPods(ranges).fill(ofPod));
    }
    boolean lacksOverhead = !pod.runtimeClassName().isEmpty() && !pod.hasOverhead();
    Quantities overhead = runtimeClass.map(RuntimeClass::overhead).orElse(Quantities.NONE);
    return lacksOverhead ? completed.withOverhead(overhead) : completed;
  }

  private Quantities counted(Quantities requests) {
    var counted = new TreeMap<>(requests.byResource());
    counted.keySet().removeIf(resource -> excludedPrefixes.stream().anyMatch(resource::startsWith));
    return new Quantities(counted);
  }

  private Quantities transformed(Quantities requests) {
    var kept = new TreeMap<>(requests.byResource());
    Quantities produced = Quantities.NONE;
    for (Transformation transformation : transformations) {
      if (requests.has(transformation.input())) {
        produced = produced.plus(transformation.produce(requests));
        if (transformation.replaces()) {
          kept.remove(transformation.input());
        }
      }
    }
    return new Quantities(kept).plus(notNegative(produced));
  }

  private static Quantities notNegative(Quantities quantities) {
    var floored = new TreeMap<String, Quantity>();
    quantities.forEach((resource, quantity) ->
        floored.put(resource, quantity.isNegative() ? Quantity.ZERO : quantity));
    return new Quantities(floored);
  }
}
