package dev.sluice.controllers.configuration.scheduler;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.ManagerSections;
import dev.sluice.controllers.configuration.ManagerSettings.LeaderElection;
import dev.sluice.controllers.configuration.file.Findings;
import dev.sluice.controllers.configuration.file.InvalidConfigurationException;
import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.controllers.configuration.file.SingleDocument;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.queue.PodBackoff;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The configuration file of kube-scheduler: kind {@code KubeSchedulerConfiguration} of {@code
 * kubescheduler.config.k8s.io/v1}.
 *
 * <p>No field is ignored silently, as with Kueue's {@link ConfigurationFile}. Extenders and unknown
 * plugins are errors: pods must not be bound without them.
 */
public final class SchedulerConfigurationFile {
  static final String VERSION = "kubescheduler.config.k8s.io/v1";
  private static final String KIND = "KubeSchedulerConfiguration";
  private static final String PERCENTAGE = "percentageOfNodesToScore";
  private static final String DEFAULT_NAME = "default-scheduler";

  private SchedulerConfigurationFile() {}

  /**
   * The contents of a file.
   *
   * @param election the leader election, if the file has one
   * @param warnings one line each, beginning with the field
   */
  public record Loaded(
      SchedulerConfiguration configuration,
      Optional<LeaderElection> election,
      List<String> warnings) {
    public Loaded {
      warnings = List.copyOf(warnings);
    }
  }

  /** Reads a file for an embedded control plane, where the namespace does not matter. */
  public static Loaded read(String yaml) {
    return read(yaml, Configuration.DEFAULT.namespace());
  }

  /**
   * Reads a file.
   *
   * @param ownNamespace the namespace of the Lease if the file has none
   * @throws InvalidConfigurationException if the file is invalid
   */
  public static Loaded read(String yaml, String ownNamespace) {
    var findings = new Findings();
    var root = new Section("", SingleDocument.read(yaml, KIND), findings);
    checkKind(root);
    List<Profile> profiles = profiles(root, findings);
    PodBackoff backoff = backoff(root);
    Optional<LeaderElection> election =
        root.has("leaderElection")
            ? Optional.of(
                ManagerSections.leaderElection(root.section("leaderElection"), ownNamespace))
            : Optional.empty();
    warnOfUnsupported(root);
    root.end();
    if (!findings.problems().isEmpty()) {
      throw new InvalidConfigurationException(findings.problems());
    }
    return new Loaded(new SchedulerConfiguration(profiles, backoff), election, findings.warnings());
  }

  /** The meaning of all other fields depends on kind and version, so these are checked first. */
  private static void checkKind(Section root) {
    String kind = root.text("kind", "");
    if (!kind.equals(KIND)) {
      throw SingleDocument.invalid("kind: \"%s\" is not %s".formatted(kind, KIND));
    }
    String version = root.text("apiVersion", "");
    if (!version.equals(VERSION)) {
      throw SingleDocument.invalid("apiVersion: \"%s\" is not %s".formatted(version, VERSION));
    }
  }

  private static PodBackoff backoff(Section root) {
    int first = root.whole("podInitialBackoffSeconds", 1, 1);
    int longest = root.whole("podMaxBackoffSeconds", 10, 1);
    if (longest < first) {
      root.wrong(
          "podMaxBackoffSeconds",
          "%d is less than podInitialBackoffSeconds, which is %d".formatted(longest, first));
    }
    return new PodBackoff(Duration.ofSeconds(first), Duration.ofSeconds(Math.max(first, longest)));
  }

  private static List<Profile> profiles(Section root, Findings findings) {
    int percentage = root.whole(PERCENTAGE, 0, 0, 100);
    List<Section> given = root.sections("profiles");
    List<Section> sections =
        given.isEmpty() ? List.of(new Section("profiles[0]", Tree.EMPTY, findings)) : given;
    var names = new TreeSet<String>();
    var profiles = new ArrayList<Profile>();
    for (Section section : sections) {
      String name = section.text("schedulerName", sections.size() == 1 ? DEFAULT_NAME : "");
      if (name.isEmpty()) {
        section.wrong("schedulerName", "is missing; pods choose among several profiles by it");
      } else if (!names.add(name)) {
        section.wrong("schedulerName", "\"%s\" is the name of two profiles".formatted(name));
      }
      profiles.add(profile(section, name, section.whole(PERCENTAGE, percentage, 0, 100)));
    }
    return profiles;
  }

  private static Profile profile(Section section, String name, int percentage) {
    PluginSection.Chosen chosen = PluginSection.read(section.section("plugins"));
    PluginArguments arguments = PluginArguments.read(section, chosen);
    section.end();
    return new Profile(
        List.of(name),
        percentage,
        chosen.filters(),
        chosen.weights(),
        arguments.fit(),
        arguments.balanced(),
        arguments.spread(),
        arguments.added(),
        arguments.affinity(),
        arguments.preemption());
  }

  private static void warnOfUnsupported(Section root) {
    root.noEffect("Sluice decides on one thread", "parallelism");
    root.noEffect(
        "say it with --kubeconfig, or in Kueue's Configuration, which --config names",
        "clientConnection");
    root.noEffect(
        "Sluice serves no pprof; use a profiler for Java",
        "enableProfiling",
        "enableContentionProfiling");
    root.noEffect("a manager that waits knows all pods too", "delayCacheUntilActive");
    if (!root.sections("extenders").isEmpty()) {
      root.wrong(
          "extenders",
          "Sluice asks no extenders; take them out, or leave their pods to kube-scheduler");
    }
  }
}
