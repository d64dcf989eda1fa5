package dev.sluice.controllers.queueing;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.engine.requests.ResourceProblem;
import dev.sluice.model.Amounts;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.LimitRange;
import dev.sluice.model.core.RuntimeClass;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.runtime.Cluster;
import java.util.List;
import java.util.Optional;

/**
 * The resource requests of pods as quota counts them, with LimitRange defaults and runtime class
 * overhead.
 */
public record PodDemand(Cluster cluster, Configuration configuration) {

  public Amounts perPod(String namespace, PodSpec pod) {
    return configuration.resources().requests().perPod(pod, ranges(namespace), runtimeClass(pod));
  }

  /** The problems because of which a pod could never start. */
  public List<ResourceProblem> problems(String namespace, PodSpec pod) {
    return configuration.resources().requests().problems(pod, ranges(namespace), runtimeClass(pod));
  }

  /** Whether a pod requests no more of any resource than one for which quota is reserved. */
  public boolean covers(String namespace, PodSpec given, PodSpec pod) {
    Amounts limit = perPod(namespace, given);
    return perPod(namespace, pod).byResource().entrySet().stream()
        .allMatch(need -> need.getValue() <= limit.get(need.getKey()));
  }

  private List<LimitRange> ranges(String namespace) {
    return cluster.list(Kinds.LIMIT_RANGE, namespace).stream().map(LimitRange::new).toList();
  }

  private Optional<RuntimeClass> runtimeClass(PodSpec pod) {
    return pod.runtimeClassName().isEmpty()
        ? Optional.empty()
        : cluster.get(Kinds.RUNTIME_CLASS.key(pod.runtimeClassName())).map(RuntimeClass::new);
  }
}
