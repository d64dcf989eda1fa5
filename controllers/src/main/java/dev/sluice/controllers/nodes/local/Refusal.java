package dev.sluice.controllers.nodes.local;

import dev.sluice.model.core.Container;
import dev.sluice.model.core.ContainerProcess;
import dev.sluice.model.core.EnvironmentVariable;
import dev.sluice.model.core.Pod;
import dev.sluice.model.core.PodSpec;
import dev.sluice.model.core.Probe;
import dev.sluice.model.core.Volume;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Why a pod cannot run as processes of this machine: the field, and the way out. */
final class Refusal {
  static final String REASON = "UnsupportedByLocalNode";

  private static final String GO = "; run the pod on another node, or ";

  private Refusal() {}

  /** The reason, if there is one. */
  static Optional<String> of(Pod pod, long user) {
    PodSpec spec = pod.spec();
    return ofUsers(spec, user).or(() -> ofRest(spec));
  }

  private static Optional<String> ofUsers(PodSpec spec, long user) {
    List<ContainerProcess> processes =
        Stream.concat(spec.initContainers().stream(), spec.containers().stream())
            .map(ContainerProcess::of)
            .toList();
    if (user == 0
        && (spec.refusesRoot() || processes.stream().anyMatch(ContainerProcess::refusesRoot))) {
      return Optional.of(
          "securityContext.runAsNonRoot: the local node runs everything as its own user, which is"
              + " root; run sluice as another user, or leave it out");
    }
    return Stream.concat(Stream.of(spec.user()), processes.stream().map(ContainerProcess::user))
        .flatMapToLong(OptionalLong::stream)
        .filter(wanted -> wanted != user)
        .mapToObj(wanted ->
            "securityContext.runAsUser: the local node runs everything as user %d, not as %d"
                    .formatted(user, wanted)
                + GO
                + "leave it out")
        .findFirst();
  }

  private static Optional<String> ofRest(PodSpec spec) {
    return Stream.concat(
            Stream.concat(
                ofContainers("spec.initContainers", spec.initContainers()),
                ofContainers("spec.containers", spec.containers())),
            spec.volumes().stream().flatMap(volume -> ofVolume(volume).stream()))
        .findFirst();
  }

  private static Stream<String> ofContainers(String list, List<Container> containers) {
    return Stream.iterate(0, i -> i < containers.size(), i -> i + 1)
        .flatMap(i ->
            ofContainer(containers.get(i))
                .map(why -> "%s[%d].%s".formatted(list, i, why))
                .stream());
  }

  private static Optional<String> ofContainer(Container container) {
    var process = ContainerProcess.of(container);
    if (container.command().isEmpty()) {
      return Optional.of(
          "command: Required value: the local node runs commands of this machine, images are not"
              + " pulled: give the container a command");
    }
    if (process.isPrivileged() || process.hasDevices()) {
      return Optional.of(
          "securityContext: a process of the local node gets no privileges and no devices"
              + GO
              + "leave out privileged and volumeDevices");
    }
    if (process.hasHostPorts()) {
      return Optional.of(
          "ports: hostPort %d is not reserved on the local node, whose processes share its network"
                  .formatted(process.hostPorts().getFirst())
              + GO
              + "leave out hostPort and listen on the port itself");
    }
    if (process.hasOtherHooks()) {
      return Optional.of(
          "lifecycle: the local node runs preStop with exec or sleep only"
              + GO
              + "leave out postStart and other forms of preStop");
    }
    return ofEnvironment(process).or(() -> ofRest(process));
  }

  private static Optional<String> ofEnvironment(ContainerProcess process) {
    return process.environment().stream()
        .filter(variable -> variable.source() instanceof EnvironmentVariable.Other)
        .map(variable ->
            "env: the local node cannot read the value of %s from %s"
                    .formatted(
                        variable.name(), ((EnvironmentVariable.Other) variable.source()).field())
                + GO
                + "give it a value or a configMapKeyRef, secretKeyRef, fieldRef or"
                + " resourceFieldRef")
        .findFirst();
  }

  private static Optional<String> ofRest(ContainerProcess process) {
    if (process.expandsSubPaths()) {
      return Optional.of(
          "volumeMounts: subPathExpr is not supported by the local node" + GO + "use subPath");
    }
    if (process.restartRules().stream().anyMatch(rule -> !rule.action().equals("Restart"))) {
      return Optional.of(
          "restartPolicyRules: the local node knows the action Restart only"
              + GO
              + "leave out the others");
    }
    return Stream.of(Probe.Purpose.values())
        .flatMap(purpose -> process.probe(purpose).stream())
        .filter(probe -> !probe.isAnswerable())
        .map(probe ->
            "probes: the local node asks with exec, tcpSocket and plain httpGet without httpHeaders"
                + " only"
                + GO
                + "use one of these")
        .findFirst();
  }

  private static Optional<String> ofVolume(Volume volume) {
    return volume.sources().stream()
        .filter(Volume.Other.class::isInstance)
        .map(source ->
            "spec.volumes: the local node has no %s for volume %s"
                    .formatted(((Volume.Other) source).field(), volume.name())
                + GO
                + "use emptyDir, hostPath, configMap, secret, downwardAPI or projected ones of"
                + " these")
        .findFirst();
  }
}
