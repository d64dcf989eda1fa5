package dev.sluice.apiserver.http.endpoint;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.Pod;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The container of a pod that a request is about. */
final class ContainerChoice {
  private ContainerChoice() {}

  /**
   * @param asked the requested name, which may be empty if the pod has only one container
   */
  static String of(Pod pod, String asked) {
    List<String> usual = names(pod.spec().containers());
    List<String> init = names(pod.spec().initContainers());
    if (asked.isEmpty() && usual.size() == 1) {
      return usual.getFirst();
    }
    if (asked.isEmpty()) {
      throw badRequest(
          "a container name must be specified for pod %s, choose one of: %s%s"
              .formatted(
                  pod.name(),
                  listed(usual),
                  init.isEmpty() ? "" : " or one of the init containers: " + listed(init)));
    }
    if (Stream.concat(usual.stream(), init.stream()).noneMatch(asked::equals)) {
      throw badRequest("container %s is not valid for pod %s".formatted(asked, pod.name()));
    }
    return asked;
  }

  private static List<String> names(List<Container> containers) {
    return containers.stream().map(Container::name).toList();
  }

  private static String listed(List<String> names) {
    return names.stream().collect(Collectors.joining(" ", "[", "]"));
  }

  private static RuntimeException badRequest(String message) {
    return ApiFailure.because(Reason.BAD_REQUEST, message);
  }
}
