package dev.sluice.controllers.configuration;

import dev.sluice.controllers.configuration.Configuration.Retention;
import dev.sluice.controllers.configuration.file.Findings;
import dev.sluice.controllers.configuration.file.InvalidConfigurationException;
import dev.sluice.controllers.configuration.file.NameRules;
import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.controllers.configuration.file.SingleDocument;
import dev.sluice.model.tree.Tree;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * Kueue's configuration file: kind {@code Configuration} of {@code config.kueue.x-k8s.io/v1beta1}
 * or {@code v1beta2}.
 *
 * <p>No field is ignored silently. Invalid values are errors, and all errors are reported together;
 * fields that are valid but have no effect here, or that are unknown, are warnings.
 */
public final class ConfigurationFile {
  private static final String KIND = "Configuration";

  private ConfigurationFile() {}

  /**
   * The contents of a file.
   *
   * @param warnings one line each, beginning with the field
   */
  public record Loaded(
      Configuration configuration, ManagerSettings manager, List<String> warnings) {
    public Loaded {
      warnings = List.copyOf(warnings);
    }
  }

  /** The settings of a manager without a file. */
  public static Loaded none(SortedMap<String, Boolean> flagGates, String ownNamespace) {
    return none(flagGates, ownNamespace, Purpose.MANAGER);
  }

  /**
   * The settings without a file. All kinds that Sluice serves itself are queued; a real cluster may
   * not have them, so a manager queues only what every cluster has.
   *
   * @param ownNamespace the namespace of the manager
   * @param purpose the command
   */
  public static Loaded none(
      SortedMap<String, Boolean> flagGates, String ownNamespace, Purpose purpose) {
    Set<String> frameworks =
        purpose == Purpose.MANAGER
            ? Configuration.DEFAULT.frameworks()
            : IntegrationSection.SUPPORTED;
    Tree file =
        Tree.of(
            "apiVersion",
            FileVersion.V1BETA2.apiVersion(),
            "kind",
            KIND,
            "integrations",
            Tree.of("frameworks", frameworks));
    return read(file, flagGates, ownNamespace, purpose);
  }

  /**
   * Reads a file for a manager in Kueue's default namespace.
   *
   * @see #read(String, SortedMap, String, Purpose)
   */
  public static Loaded read(String yaml, SortedMap<String, Boolean> flagGates) {
    return read(yaml, flagGates, Configuration.DEFAULT.namespace(), Purpose.MANAGER);
  }

  /**
   * Reads a file.
   *
   * @param flagGates the feature gates of the command line; they cannot be combined with gates in
   *     the file
   * @param ownNamespace the namespace of the manager if the file has none
   * @param purpose the command that reads the file; settings without effect there cause warnings
   * @throws InvalidConfigurationException if the file is invalid
   */
  public static Loaded read(
      String yaml, SortedMap<String, Boolean> flagGates, String ownNamespace, Purpose purpose) {
    return read(SingleDocument.read(yaml, KIND), flagGates, ownNamespace, purpose);
  }

  private static Loaded read(
      Tree file, SortedMap<String, Boolean> flagGates, String ownNamespace, Purpose purpose) {
    var findings = new Findings();
    var root = new Section("", file, findings);
    FileVersion version = version(root);
    Set<Gate> gates = GateSettings.read(root, flagGates, findings);
    String namespace = namespace(root, ownNamespace);
    Section metrics = root.section("metrics");
    List<CustomLabel> labels = CustomLabelSection.read(metrics, gates);
    Configuration configuration = configuration(root, version, gates, namespace, labels);
    ManagerSettings manager =
        ManagerSections.read(root, metrics, labels, namespace, gates, purpose);
    LaterSections.read(root, version);
    root.end();
    if (!findings.problems().isEmpty()) {
      throw new InvalidConfigurationException(findings.problems());
    }
    return new Loaded(configuration, manager, findings.warnings());
  }

  /** The meaning of all other fields depends on kind and version, so these are checked first. */
  private static FileVersion version(Section root) {
    String kind = root.text("kind", "");
    if (!kind.equals(KIND)) {
      throw SingleDocument.invalid("kind: \"%s\" is not %s".formatted(kind, KIND));
    }
    String apiVersion = root.text("apiVersion", "");
    return Arrays.stream(FileVersion.values())
        .filter(version -> version.apiVersion().equals(apiVersion))
        .findFirst()
        .orElseThrow(() ->
            SingleDocument.invalid(
                "apiVersion: \"%s\" is neither %s nor %s"
                    .formatted(
                        apiVersion,
                        FileVersion.V1BETA1.apiVersion(),
                        FileVersion.V1BETA2.apiVersion())));
  }

  private static String namespace(Section root, String ownNamespace) {
    String namespace = root.text("namespace", ownNamespace);
    if (!NameRules.isNamespace(namespace)) {
      root.wrong("namespace", "\"%s\" is not the name of a namespace".formatted(namespace));
    }
    return namespace;
  }

  private static Configuration configuration(
      Section root,
      FileVersion version,
      Set<Gate> gates,
      String namespace,
      List<CustomLabel> metricLabels) {
    var integrations = IntegrationSection.read(root, version);
    return new Configuration(
        namespace,
        root.flag("manageJobsWithoutQueueName", false),
        IntegrationSection.namespaceSelector(root, namespace, integrations.frameworks()),
        PodsReadySection.read(root, version, gates),
        integrations.frameworks(),
        integrations.externalFrameworks(),
        Stream.concat(integrations.labelKeysToCopy().stream(), copied(metricLabels, false))
            .distinct()
            .toList(),
        copied(metricLabels, true).distinct().toList(),
        SharingSections.fairSharing(root, version),
        SharingSections.usageSharing(root, gates),
        ResourceSection.read(root, gates),
        retention(root.section("objectRetentionPolicies")),
        gates);
  }

  /**
   * The labels or annotations that custom metric labels read from workloads; users set them on
   * jobs, so they are copied.
   */
  private static Stream<String> copied(List<CustomLabel> metricLabels, boolean annotations) {
    return metricLabels.stream()
        .filter(label -> label.source() == CustomLabel.Source.WORKLOAD)
        .filter(label -> label.annotation() == annotations)
        .map(CustomLabel::key);
  }

  private static Retention retention(Section section) {
    Section workloads = section.section("workloads");
    var retention =
        new Retention(
            workloads.duration("afterFinished"), workloads.duration("afterDeactivatedByKueue"));
    workloads.end();
    section.end();
    return retention;
  }
}
