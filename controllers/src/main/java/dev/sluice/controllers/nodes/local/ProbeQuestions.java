package dev.sluice.controllers.nodes.local;

import dev.sluice.model.core.Container;
import dev.sluice.model.core.Pod;
import dev.sluice.model.core.Probe;

/** Words the questions of probes for a machine. */
record ProbeQuestions(Launches launches, String address) {

  /**
   * @throws MissingException if what the container's surroundings need is not there
   */
  Containers.Check of(Pod pod, Container container, Probe probe) throws MissingException {
    if (!probe.command().isEmpty()) {
      Launch launch = launches.of(pod, container);
      return new Containers.Check.Command(launch.withCommand(probe.command(), Launch.Streams.NONE));
    }
    String host = probe.host().isEmpty() ? address : probe.host();
    int port = probe.port(container);
    return probe.isHttp()
        ? new Containers.Check.Http(
            "%s://%s:%d%s".formatted(probe.scheme(), host, port, probe.path()))
        : new Containers.Check.Tcp(host, port);
  }
}
