package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the writer of a pod, or of a template of pods, should be told although it is accepted: what
 * is out of date, hides something else, or cannot be meant.
 */
final class PodWarnings {
  private static final int LONGEST_LABEL = 63;

  /** Labels of nodes that have a newer name, and since when. */
  private static final Map<String, String> OLD_LABELS =
      Map.of(
          "beta.kubernetes.io/arch", "v1.14; use \"kubernetes.io/arch\"",
          "beta.kubernetes.io/os", "v1.14; use \"kubernetes.io/os\"",
          "failure-domain.beta.kubernetes.io/region",
              "v1.17; use \"topology.kubernetes.io/region\"",
          "failure-domain.beta.kubernetes.io/zone", "v1.17; use \"topology.kubernetes.io/zone\"",
          "beta.kubernetes.io/instance-type", "v1.17; use \"node.kubernetes.io/instance-type\"");

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private final String field;
  private final List<String> warnings = new ArrayList<>();

  private PodWarnings(String field) {
    this.field = field;
  }

  /**
   * The warnings about a spec.
   *
   * @param field where it stands
   */
  static List<String> of(String field, Tree spec) {
    var found = new PodWarnings(field);
    found.labels(spec);
    found.secrets(spec.trees("imagePullSecrets"));
    if (spec.whole("terminationGracePeriodSeconds").orElse(0) < 0) {
      found.add(
          "terminationGracePeriodSeconds",
          "must be >= 0; negative values are invalid and will be treated as 1");
    }
    for (String list : List.of("initContainers", "containers")) {
      List<Tree> containers = spec.trees(list);
      for (int i = 0; i < containers.size(); i++) {
        found.container("%s[%d]".formatted(list, i), containers.get(i));
      }
    }
    return found.warnings;
  }

  /**
   * The warning about a name, if it is not fit for all that is named after it.
   *
   * @param named what is named after it
   */
  static Optional<String> ofName(String name, String named) {
    var problems = new ArrayList<String>();
    if (name.length() > LONGEST_LABEL) {
      problems.add("must be no more than %d characters".formatted(LONGEST_LABEL));
    }
    if (name.contains(".")) {
      problems.add("must not contain dots");
    }
    return problems.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "metadata.name: this is used in %s, which can result in surprising behavior; a DNS label"
                    .formatted(named)
                + " is recommended: [%s]".formatted(String.join(" ", problems)));
  }

  private void add(String at, String warning) {
    warnings.add("%s.%s: %s".formatted(field, at, warning));
  }

  /** A wish to be near, or far from, pods that nothing selects. */
  private void neighbours(String at, Tree affinity) {
    List<Tree> required = affinity.trees(REQUIRED);
    for (int i = 0; i < required.size(); i++) {
      noSelector("%s.%s[%d]".formatted(at, REQUIRED, i), required.get(i));
    }
    List<Tree> preferred = affinity.trees(PREFERRED);
    for (int i = 0; i < preferred.size(); i++) {
      noSelector(
          "%s.%s[%d].podAffinityTerm".formatted(at, PREFERRED, i),
          preferred.get(i).tree("podAffinityTerm"));
    }
  }

  private void noSelector(String at, Tree term) {
    if (!term.has("labelSelector")) {
      add(at + ".labelSelector", "a null labelSelector results in matching no pod");
    }
  }

  private void labels(Tree spec) {
    for (String label : spec.tree("nodeSelector").names()) {
      oldLabel(label).ifPresent(warning -> add("nodeSelector[" + label + "]", warning));
    }
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      neighbours("affinity." + kind, spec.tree("affinity", kind));
    }
    List<Tree> spread = spec.trees("topologySpreadConstraints");
    for (int i = 0; i < spread.size(); i++) {
      Tree constraint = spread.get(i);
      String at = "topologySpreadConstraints[" + i + "]";
      oldLabel(constraint.text("topologyKey"))
          .ifPresent(warning ->
              add(at + ".topologyKey", constraint.text("topologyKey") + " is " + warning));
      noSelector(at, constraint);
    }
  }

  private static Optional<String> oldLabel(String label) {
    return Optional.ofNullable(OLD_LABELS.get(label))
        .map(newer -> "deprecated since " + newer + " instead");
  }

  private void secrets(List<Tree> secrets) {
    for (int i = 0; i < secrets.size(); i++) {
      if (secrets.get(i).text("name").isEmpty()) {
        add("imagePullSecrets[" + i + "].name", "invalid empty name \"\"");
      }
    }
  }

  private void container(String at, Tree container) {
    variables(at + ".env", container.trees("env"));
    for (String list : List.of("limits", "requests")) {
      Tree quantities = container.tree("resources", list);
      for (String resource : List.of("ephemeral-storage", "memory")) {
        Optional<Quantity> bytes = Quantities.parse(quantities.at(resource));
        if (bytes.isPresent() && isFraction(bytes.get())) {
          add(
              "%s.resources.%s[%s]".formatted(at, list, resource),
              "fractional byte value \"%s\" is invalid, must be an integer".formatted(bytes.get()));
        }
      }
    }
    ports(at + ".ports", container.trees("ports"));
  }

  private static boolean isFraction(Quantity bytes) {
    return Quantity.of(bytes.units()).compareTo(bytes) != 0;
  }

  private void variables(String at, List<Tree> variables) {
    var seen = new TreeMap<String, Tree>();
    for (int i = 0; i < variables.size(); i++) {
      String name = variables.get(i).text("name");
      Tree before = seen.put(name, variables.get(i));
      // One that adds to the earlier one is meant so.
      if (before != null && !variables.get(i).text("value").contains("$(" + name + ")")) {
        add(
            "%s[%d]".formatted(at, i),
            "hides previous definition of \"%s\", which may be dropped when using apply"
                .formatted(name));
      }
    }
  }

  private void ports(String at, List<Tree> ports) {
    var places = new TreeMap<String, Integer>();
    for (int i = 0; i < ports.size(); i++) {
      Tree port = ports.get(i);
      String place =
          "%d %s %s %d"
              .formatted(
                  port.whole("containerPort").orElse(0),
                  port.text("protocol"),
                  port.text("hostIP"),
                  port.whole("hostPort").orElse(0));
      Integer before = places.putIfAbsent(place, i);
      if (before != null) {
        add(
            "%s[%d]".formatted(at, i),
            "duplicate port definition with %s.%s[%d]".formatted(field, at, before));
      }
    }
  }
}
