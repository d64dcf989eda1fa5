package dev.sluice.model.core;

import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One container of a pod spec, seen as the process that a node starts for it. */
public record ContainerProcess(Tree tree) {

  /** When a container is started again by itself, by the exit code it ended with. */
  public record RestartRule(String action, boolean in, List<Long> exitCodes) {
    public RestartRule {
      exitCodes = List.copyOf(exitCodes);
    }

    public boolean matches(long exitCode) {
      return exitCodes.contains(exitCode) == in;
    }
  }

  /**
   * A volume at a path.
   *
   * @param subPath the part of the volume that is seen there; empty for all of it
   */
  public record Mount(String volume, String path, String subPath, boolean readOnly) {}

  public static ContainerProcess of(Container container) {
    return new ContainerProcess(container.tree());
  }

  public String workingDirectory() {
    return tree.text("workingDir");
  }

  public List<EnvironmentSource> environmentSources() {
    return tree.trees("envFrom").stream().map(EnvironmentSource::of).toList();
  }

  public List<EnvironmentVariable> environment() {
    return tree.trees("env").stream().map(EnvironmentVariable::of).toList();
  }

  public List<Mount> mounts() {
    return tree.trees("volumeMounts").stream()
        .map(mount ->
            new Mount(
                mount.text("name"),
                mount.text("mountPath"),
                mount.text("subPath"),
                mount.flag("readOnly")))
        .toList();
  }

  /** Whether a mount names its part of the volume by a variable. */
  public boolean expandsSubPaths() {
    return tree.trees("volumeMounts").stream()
        .anyMatch(mount -> !mount.text("subPathExpr").isEmpty());
  }

  public boolean hasDevices() {
    return !tree.items("volumeDevices").isEmpty();
  }

  /** The container's own restart policy, empty if the pod's holds. */
  public String restartPolicy() {
    return tree.text("restartPolicy");
  }

  public List<RestartRule> restartRules() {
    return tree.trees("restartPolicyRules").stream().map(ContainerProcess::rule).toList();
  }

  private static RestartRule rule(Tree rule) {
    List<Long> values =
        rule.items("exitCodes", "values").stream()
            .map(value -> Tree.of("value", value).whole("value").orElse(-1))
            .toList();
    return new RestartRule(
        rule.text("action"), rule.text("exitCodes", "operator").equals("In"), values);
  }

  /** What runs before it is asked to end, empty if nothing does. */
  public List<String> preStopCommand() {
    List<String> command = tree.textItems("lifecycle", "preStop", "exec", "command");
    return tree.whole("lifecycle", "preStop", "sleep", "seconds").stream()
        .mapToObj(seconds -> List.of("sleep", Long.toString(seconds)))
        .findFirst()
        .orElse(command);
  }

  /** Whether something must be asked over the network, or run, that is no preStop command. */
  public boolean hasOtherHooks() {
    Tree preStop = tree.tree("lifecycle", "preStop");
    return tree.at("lifecycle", "postStart") instanceof Tree
        || preStop.has("httpGet")
        || preStop.has("tcpSocket");
  }

  /** One of {@code startupProbe}, {@code readinessProbe} and {@code livenessProbe}. */
  public Optional<Probe> probe(Probe.Purpose purpose) {
    return tree.at(purpose.field()) instanceof Tree probe
        ? Optional.of(new Probe(probe))
        : Optional.empty();
  }

  public boolean isPrivileged() {
    return tree.flag("securityContext", "privileged");
  }

  /** Whether it must not run as root. */
  public boolean refusesRoot() {
    return tree.flag("securityContext", "runAsNonRoot");
  }

  /** The user it asks to run as, if it asks for one. */
  public OptionalLong user() {
    return tree.whole("securityContext", "runAsUser");
  }

  public boolean hasHostPorts() {
    return !hostPorts().isEmpty();
  }

  public List<Long> hostPorts() {
    return tree.trees("ports").stream()
        .map(port -> port.whole("hostPort").orElse(0))
        .filter(port -> port > 0)
        .toList();
  }
}
