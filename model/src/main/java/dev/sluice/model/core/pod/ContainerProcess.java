package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.Optional;

/** One container of a pod spec, as the process that a node starts for it. */
public record ContainerProcess(Tree tree) {

  /** A rule that restarts a container, depending on its exit code. */
  public record RestartRule(String action, boolean in, List<Long> exitCodes) {
    public RestartRule {
      exitCodes = List.copyOf(exitCodes);
    }

    public boolean matches(long exitCode) {
      return exitCodes.contains(exitCode) == in;
    }
  }

  /**
   * A volume mount.
   *
   * @param subPath the path inside the volume; empty for all of it
   * @param expands whether the path may contain variables as {@code $(NAME)}
   */
  public record Mount(
      String volume, String path, String subPath, boolean expands, boolean readOnly) {}

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
    return tree.trees("volumeMounts").stream().map(ContainerProcess::mount).toList();
  }

  private static Mount mount(Tree mount) {
    String expression = mount.text("subPathExpr");
    boolean expands = !expression.isEmpty();
    return new Mount(
        mount.text("name"),
        mount.text("mountPath"),
        expands ? expression : mount.text("subPath"),
        expands,
        mount.flag("readOnly"));
  }

  /** The container's own restart policy, empty if that of the pod applies. */
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

  /** The lifecycle hooks. */
  public enum Hook {
    POST_START("postStart", "FailedPostStartHook"),
    PRE_STOP("preStop", "FailedPreStopHook");

    private final String field;
    private final String failure;

    Hook(String field, String failure) {
      this.field = field;
      this.failure = failure;
    }

    /** The reason of events about its failure. */
    public String failure() {
      return failure;
    }

    /** Its name in the names of runs, such as {@code preStop}. */
    public String word() {
      return field;
    }
  }

  /** The action of a hook. */
  public sealed interface HookAction {
    /** Runs a command. */
    record Run(List<String> command) implements HookAction {
      public Run {
        command = List.copyOf(command);
      }
    }

    /** Sends an HTTP request, whose response does not matter. */
    record Get(Probe page) implements HookAction {}
  }

  /** The action of a hook, if there is one. */
  public Optional<HookAction> hook(Hook hook) {
    Tree handler = tree.tree("lifecycle", hook.field);
    if (handler.at("httpGet") instanceof Tree) {
      return Optional.of(new HookAction.Get(new Probe(handler)));
    }
    List<String> command =
        handler.whole("sleep", "seconds").stream()
            .mapToObj(seconds -> List.of("sleep", Long.toString(seconds)))
            .findFirst()
            .orElse(handler.textItems("exec", "command"));
    return command.isEmpty() ? Optional.empty() : Optional.of(new HookAction.Run(command));
  }

  /** The stop signal, such as {@code SIGINT}; empty for the default. */
  public String stopSignal() {
    return tree.text("lifecycle", "stopSignal");
  }

  /** One of {@code startupProbe}, {@code readinessProbe} and {@code livenessProbe}. */
  public Optional<Probe> probe(Probe.Purpose purpose) {
    return tree.at(purpose.field()) instanceof Tree probe
        ? Optional.of(new Probe(probe))
        : Optional.empty();
  }

  /** The path of its termination message. */
  public String messagePath() {
    String path = tree.text("terminationMessagePath");
    return path.isEmpty() ? "/dev/termination-log" : path;
  }

  /** Whether the end of its log becomes the termination message if it failed without one. */
  public boolean fallsBackToLogs() {
    return tree.text("terminationMessagePolicy").equals("FallbackToLogsOnError");
  }

  /** Whether its stdin stays open. */
  public boolean keepsInput() {
    return tree.flag("stdin");
  }

  /** Whether its stdin ends when the first client that attached to it disconnects. */
  public boolean takesInputOnce() {
    return tree.flag("stdinOnce");
  }

  public boolean wantsTerminal() {
    return tree.flag("tty");
  }

  /** Whether its processes may gain more privileges than their parent. */
  public boolean mayGainPrivileges() {
    return tree.at("securityContext", "allowPrivilegeEscalation") != Value.Flag.FALSE;
  }

  /** The capabilities to drop, such as {@code ALL}. */
  public List<String> droppedCapabilities() {
    return tree.textItems("securityContext", "capabilities", "drop");
  }
}
