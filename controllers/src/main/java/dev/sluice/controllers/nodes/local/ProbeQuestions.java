package dev.sluice.controllers.nodes.local;

import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.Probe;

/** The translation of probes and hooks into checks of the container runtime. */
record ProbeQuestions(Launches launches, String address) {

  /**
   * @throws MissingException if something that the container's environment needs is missing
   */
  Containers.Check of(Pod pod, Container container, Probe probe) throws MissingException {
    if (!probe.command().isEmpty()) {
      Launch launch = launches.of(pod, container);
      return new Containers.Check.Command(launch.withCommand(probe.command(), Launch.Streams.NONE));
    }
    if (probe.isGrpc()) {
      return new Containers.Check.Grpc(address, probe.port(container), probe.grpcService());
    }
    return probe.isHttp()
        ? page(container, probe)
        : new Containers.Check.Tcp(host(probe), probe.port(container));
  }

  /** The HTTP request of a probe or a hook. */
  Containers.Check.Http page(Container container, Probe probe) {
    String url =
        "%s://%s:%d%s".formatted(probe.scheme(), host(probe), probe.port(container), probe.path());
    return new Containers.Check.Http(url, probe.headers());
  }

  private String host(Probe probe) {
    return probe.host().isEmpty() ? address : probe.host();
  }
}
