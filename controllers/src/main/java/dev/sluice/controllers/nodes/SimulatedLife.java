package dev.sluice.controllers.nodes;

import dev.sluice.model.Condition;
import dev.sluice.model.core.Container;
import dev.sluice.model.core.ContainerStatus;
import dev.sluice.model.core.Node;
import dev.sluice.model.core.Pod;
import dev.sluice.model.core.PodSpec;
import dev.sluice.model.core.PodStatus;
import java.time.Instant;
import java.util.List;

/** The statuses that a pod goes through on a simulated node. */
final class SimulatedLife {
  private static final int TERMINATED_BY_SIGNAL = 143;

  private SimulatedLife() {}

  /** Everything runs and is ready. */
  static PodStatus running(Pod pod, Node node, Instant now) {
    String host = node.status().internalAddress();
    String hostAddress = host.isEmpty() ? SimulatedNode.address(node.name()) : host;
    PodSpec spec = pod.spec();
    String address = spec.usesHostNetwork() ? hostAddress : SimulatedNode.address(pod.uid());
    PodStatus status =
        pod.status()
            .withPhase(Pod.Phase.RUNNING)
            .withStarted(now)
            .withAddresses(address, hostAddress)
            .withContainers(
                spec.initContainers().stream().map(each -> initialized(each, now)).toList(),
                spec.containers().stream()
                    .map(each -> ContainerStatus.running(each, now))
                    .toList());
    for (String condition :
        List.of(PodStatus.INITIALIZED, PodStatus.READY, PodStatus.CONTAINERS_READY)) {
      status = status.withCondition(new Condition(condition, true, "", ""), now);
    }
    return status;
  }

  private static ContainerStatus initialized(Container container, Instant now) {
    ContainerStatus running = ContainerStatus.running(container, now);
    return container.isSidecar() ? running : running.terminated(0, "Completed", now);
  }

  /** Everything ended well. */
  static PodStatus succeeded(Pod pod, Instant now) {
    return ended(pod, 0, "Completed", now)
        .withPhase(Pod.Phase.SUCCEEDED)
        .withCondition(new Condition(PodStatus.INITIALIZED, true, "PodCompleted", ""), now)
        .withCondition(new Condition(PodStatus.READY, false, "PodCompleted", ""), now)
        .withCondition(new Condition(PodStatus.CONTAINERS_READY, false, "PodCompleted", ""), now);
  }

  /** Everything was told to end, as happens when a pod is deleted. */
  static PodStatus terminated(Pod pod, Instant now) {
    return ended(pod, TERMINATED_BY_SIGNAL, "Error", now)
        .withPhase(Pod.Phase.FAILED)
        .withCondition(new Condition(PodStatus.READY, false, "PodFailed", ""), now)
        .withCondition(new Condition(PodStatus.CONTAINERS_READY, false, "PodFailed", ""), now);
  }

  /** Nothing was even started. */
  static PodStatus refused(Pod pod, String reason, String message, Instant now) {
    return pod.status()
        .withPhase(Pod.Phase.FAILED)
        .withReason(reason, message)
        .withStarted(now)
        .withCondition(new Condition(PodStatus.READY, false, "PodFailed", message), now);
  }

  private static PodStatus ended(Pod pod, long exitCode, String reason, Instant now) {
    PodStatus status = pod.status();
    return status.withContainers(
        status.initContainers().stream().map(each -> end(each, 0, "Completed", now)).toList(),
        status.containers().stream().map(each -> end(each, exitCode, reason, now)).toList());
  }

  private static ContainerStatus end(
      ContainerStatus container, long exitCode, String reason, Instant now) {
    return container.isTerminated() ? container : container.terminated(exitCode, reason, now);
  }
}
