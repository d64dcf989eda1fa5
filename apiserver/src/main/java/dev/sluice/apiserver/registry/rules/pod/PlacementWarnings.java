package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** Warnings about scheduling constraints of a pod that are deprecated or can never be met. */
final class PlacementWarnings {
  private static final String SINCE_17 = "deprecated since v1.17; use ";

  /** The warnings about deprecated node labels. */
  private static final SortedMap<String, String> OLD_LABELS =
      new TreeMap<>(
          Map.of(
              "beta.kubernetes.io/arch",
              "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
              "beta.kubernetes.io/os",
              "deprecated since v1.14; use \"kubernetes.io/os\" instead",
              "failure-domain.beta.kubernetes.io/region",
              SINCE_17 + "\"topology.kubernetes.io/region\" instead",
              "failure-domain.beta.kubernetes.io/zone",
              SINCE_17 + "\"topology.kubernetes.io/zone\" instead",
              "beta.kubernetes.io/instance-type",
              SINCE_17 + "\"node.kubernetes.io/instance-type\" instead",
              "app.kubernetes.io/created-by",
              "deprecated since v1.9",
              "scheduler.alpha.kubernetes.io/preferAvoidPods",
              "deprecated since v1.22; use Taints and Tolerations instead",
              "node-role.kubernetes.io/master",
              "use \"node-role.kubernetes.io/control-plane\" instead"));

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private static final int MAX_VALUE = 63;
  private static final Pattern VALUE =
      Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?");
  private static final String NO_VALUE =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.',"
          + " and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',"
          + "  or '12345', regex used for validation is"
          + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

  private final BiConsumer<String, String> warnings;

  /**
   * @param warnings receives the path of a constraint and the warning about it
   */
  PlacementWarnings(BiConsumer<String, String> warnings) {
    this.warnings = warnings;
  }

  void of(Tree spec) {
    for (String label : spec.tree("nodeSelector").names()) {
      oldLabel(label).ifPresent(warning -> warnings.accept("nodeSelector[" + label + "]", warning));
    }
    nodes(spec.tree("affinity", "nodeAffinity"));
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      neighbours("affinity." + kind, spec.tree("affinity", kind));
    }
    List<Tree> spread = spec.trees("topologySpreadConstraints");
    for (int i = 0; i < spread.size(); i++) {
      Tree constraint = spread.get(i);
      String at = "topologySpreadConstraints[" + i + "]";
      oldLabel(constraint.text("topologyKey"))
          .ifPresent(warning ->
              warnings.accept(
                  at + ".topologyKey", constraint.text("topologyKey") + " is " + warning));
      noSelector(at, constraint);
    }
  }

  /** Warns of an affinity to pods that no selector matches. */
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
      warnings.accept(at + ".labelSelector", "a null labelSelector results in matching no pod");
    }
  }

  private static Optional<String> oldLabel(String label) {
    return Optional.ofNullable(OLD_LABELS.get(label));
  }

  private void nodes(Tree affinity) {
    List<Tree> required = affinity.trees(REQUIRED, "nodeSelectorTerms");
    for (int i = 0; i < required.size(); i++) {
      nodes(
          "affinity.nodeAffinity.%s.nodeSelectorTerms[%d]".formatted(REQUIRED, i),
          required.get(i),
          false);
    }
    List<Tree> preferred = affinity.trees(PREFERRED);
    for (int i = 0; i < preferred.size(); i++) {
      nodes(
          "affinity.nodeAffinity.%s[%d].preference".formatted(PREFERRED, i),
          preferred.get(i).tree("preference"),
          true);
    }
  }

  /**
   * Warns of invalid values: a requirement with them is rejected, a preference just never matches.
   */
  private void nodes(String at, Tree term, boolean preference) {
    List<Tree> expressions = term.trees("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      String key = expressions.get(i).text("key");
      String expression = "%s.matchExpressions[%d]".formatted(at, i);
      oldLabel(key)
          .ifPresent(warning -> warnings.accept(expression + ".key", key + " is " + warning));
      List<String> values = preference ? expressions.get(i).textItems("values") : List.of();
      for (int j = 0; j < values.size(); j++) {
        odd("%s.values[%d]".formatted(expression, j), values.get(j));
      }
    }
  }

  private void odd(String at, String value) {
    if (value.length() > MAX_VALUE) {
      warnings.accept(
          at, "%s is invalid, must be no more than %d bytes".formatted(value, MAX_VALUE));
    }
    if (!VALUE.matcher(value).matches()) {
      warnings.accept(at, "%s is invalid, %s".formatted(value, NO_VALUE));
    }
  }
}
