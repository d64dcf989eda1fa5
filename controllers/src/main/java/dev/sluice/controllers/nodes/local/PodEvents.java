package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.core.pod.ContainerState.Terminated;
import dev.sluice.model.core.pod.ContainerState.Waiting;
import dev.sluice.model.core.pod.ContainerStatus;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;

/** The events that say why containers do not run. */
record PodEvents(EventRecorder events) {

  /**
   * Records the events for a new status of a pod.
   *
   * @param pod as it was before
   * @param waiting the reasons for which containers wait
   */
  void publish(Pod pod, PodStatus status, SortedMap<String, Waiting> waiting) {
    waiting.forEach((container, why) -> tellWaiting(pod, container, why));
    List<ContainerStatus> before = all(pod.status()).toList();
    all(status)
        .filter(container -> !before.contains(container))
        .flatMap(container -> container.state().stream())
        .filter(Terminated.class::isInstance)
        .map(Terminated.class::cast)
        .filter(end -> end.reason().equals(State.START_ERROR))
        .forEach(end -> events.warning(pod.object(), "Failed", "Error: " + end.message()));
  }

  private static Stream<ContainerStatus> all(PodStatus status) {
    return Stream.concat(status.initContainers().stream(), status.containers().stream());
  }

  private void tellWaiting(Pod pod, String container, Waiting why) {
    switch (why.reason()) {
      case PodProgress.BACK_OFF ->
          events.warning(
              pod.object(),
              "BackOff",
              "Back-off restarting failed container %s in pod %s_%s(%s)"
                  .formatted(container, pod.name(), pod.namespace(), pod.uid()));
      case MissingException.CREATING -> events.warning(pod.object(), "FailedMount", why.message());
      default -> events.warning(pod.object(), "Failed", "Error: " + why.message());
    }
  }
}
