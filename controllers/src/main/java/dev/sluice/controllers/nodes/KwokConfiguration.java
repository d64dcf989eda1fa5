package dev.sluice.controllers.nodes;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * KWOK's configuration file: documents of its kinds, which become objects, and a KwokConfiguration
 * with options. Every option without effect has a warning.
 *
 * @param settings the settings that follow from the options
 * @param objects the documents that become objects, in the order of the file
 * @param warnings the options without effect
 */
public record KwokConfiguration(
    SimulationSettings settings, List<Document> objects, List<String> warnings) {

  /** The configuration without a file. */
  public static final KwokConfiguration NONE =
      new KwokConfiguration(SimulationSettings.DEFAULT, List.of(), List.of());

  private static final String GROUP = "kwok.x-k8s.io/v1alpha1";
  private static final String CONFIGURATION_GROUP = "config.kwok.x-k8s.io/v1alpha1";
  private static final List<ResourceKind> KINDS =
      List.of(Kinds.STAGE, Kinds.RESOURCE_USAGE, Kinds.CLUSTER_RESOURCE_USAGE, Kinds.METRIC);
  private static final Set<String> WITHOUT_EFFECT =
      new LinkedHashSet<>(
          List.of(
              "Attach",
              "ClusterAttach",
              "ClusterExec",
              "ClusterLogs",
              "ClusterPortForward",
              "Exec",
              "Logs",
              "PortForward"));

  public KwokConfiguration {
    objects = List.copyOf(objects);
    warnings = List.copyOf(warnings);
  }

  /** An object of the file with its kind. */
  public record Document(ResourceKind kind, ApiObject object) {}

  /**
   * Parses a file.
   *
   * @throws IllegalArgumentException if it cannot be used; the message lists everything that is
   *     wrong
   */
  public static KwokConfiguration read(String yaml) {
    var objects = new ArrayList<Document>();
    var warnings = new ArrayList<String>();
    var problems = new ArrayList<String>();
    var options = new KwokOptions(warnings, problems);
    List<Value> documents = documents(yaml);
    for (int i = 0; i < documents.size(); i++) {
      String place = "document " + (i + 1);
      if (documents.get(i) instanceof Tree tree) {
        read(new ApiObject(tree), place, options, objects, warnings, problems);
      } else {
        problems.add(place + " is no object");
      }
    }
    options.checkNotTwice(objects.stream().map(each -> each.kind().kind()).toList());
    SimulationSettings settings = options.settings();
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
    return new KwokConfiguration(settings, objects, warnings);
  }

  private static List<Value> documents(String yaml) {
    try {
      return Yaml.parseAll(yaml);
    } catch (MalformedText malformed) {
      throw new IllegalArgumentException("it is no YAML: " + malformed.getMessage(), malformed);
    }
  }

  private static void read(
      ApiObject document,
      String place,
      KwokOptions options,
      List<Document> objects,
      List<String> warnings,
      List<String> problems) {
    String kind = document.kind();
    if (document.apiVersion().equals(GROUP)) {
      KINDS.stream()
          .filter(known -> known.kind().equals(kind))
          .findFirst()
          .ifPresentOrElse(
              known -> add(known, document, place, objects, problems),
              () -> leaveOut(kind, place, warnings, problems));
    } else if (document.apiVersion().equals(CONFIGURATION_GROUP)
        && kind.equals("KwokConfiguration")) {
      options.read(document.tree().tree("options"));
    } else if (document.apiVersion().equals(CONFIGURATION_GROUP)) {
      warnings.add("%s (%s) has no effect: it is for kwokctl".formatted(place, kind));
    } else {
      problems.add(
          "%s is a %s of %s, which does not belong into this file"
              .formatted(place, kind, document.apiVersion()));
    }
  }

  private static void add(
      ResourceKind kind,
      ApiObject document,
      String place,
      List<Document> objects,
      List<String> problems) {
    if (document.name().isEmpty()) {
      problems.add("%s (%s) has no metadata.name".formatted(place, kind.kind()));
      return;
    }
    boolean homeless = kind.namespaced() && document.namespace().isEmpty();
    objects.add(
        new Document(kind, homeless ? document.withMetadata("namespace", "default") : document));
  }

  private static void leaveOut(
      String kind, String place, List<String> warnings, List<String> problems) {
    if (WITHOUT_EFFECT.contains(kind)) {
      warnings.add("%s (%s) has no effect: it is not supported".formatted(place, kind));
    } else {
      problems.add("%s: KWOK has no kind \"%s\"".formatted(place, kind));
    }
  }
}
