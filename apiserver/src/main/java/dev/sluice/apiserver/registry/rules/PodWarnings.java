package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

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

  private static final int MOST = 100;

  private final String field;
  private final List<String> warnings = new ArrayList<>();
  private final Map<String, List<Port>> defined = new LinkedHashMap<>();

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
    found.fractions("overhead", spec.tree("overhead"));
    found.twice("hostAliases", "ip", spec);
    found.twice("imagePullSecrets", "name", spec);
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
    found.defined.values().forEach(found::ports);
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

  /** Entries of a list that have a field in common by which they should be told apart. */
  private void twice(String list, String key, Tree spec) {
    var seen = new TreeSet<String>();
    List<Tree> entries = spec.trees(list);
    for (int i = 0; i < entries.size(); i++) {
      String value = entries.get(i).text(key);
      if (!seen.add(value)) {
        add("%s[%d].%s".formatted(list, i, key), "duplicate %s \"%s\"".formatted(key, value));
      }
    }
  }

  private void container(String at, Tree container) {
    variables(at + ".env", container.trees("env"));
    for (String list : List.of("limits", "requests")) {
      fractions("%s.resources.%s".formatted(at, list), container.tree("resources", list));
    }
    List<Tree> ports = container.trees("ports");
    for (int i = 0; i < ports.size(); i++) {
      var port = new Port("%s.ports[%d]".formatted(at, i), ports.get(i));
      defined.computeIfAbsent(port.number(), _ -> new ArrayList<>()).add(port);
    }
  }

  private void fractions(String at, Tree quantities) {
    for (String resource : List.of("ephemeral-storage", "memory")) {
      Optional<Quantity> bytes = Quantities.parse(quantities.at(resource));
      if (bytes.isPresent() && isFraction(bytes.get())) {
        add(
            "%s[%s]".formatted(at, resource),
            "fractional byte value \"%s\" is invalid, must be an integer".formatted(bytes.get()));
      }
    }
  }

  private static boolean isFraction(Quantity bytes) {
    return Quantity.of(bytes.units()).compareTo(bytes) != 0;
  }

  private void variables(String at, List<Tree> variables) {
    var seen = new TreeMap<String, Tree>();
    for (int i = 0; i < variables.size(); i++) {
      String name = variables.get(i).text("name");
      Tree before = seen.put(name, variables.get(i));
      String value = variables.get(i).text("value");
      String reference = "$(" + name + ")";
      // One that adds to the earlier one is meant so.
      boolean adds = value.contains(reference) && !value.equals(reference);
      if (before != null && !adds) {
        add(
            "%s[%d]".formatted(at, i),
            "hides previous definition of \"%s\", which may be dropped when using apply"
                .formatted(name));
      }
    }
  }

  /** A port of a container, and where it stands. */
  private record Port(String at, Tree tree) {
    String hostAddress() {
      return tree.text("hostIP");
    }

    long host() {
      return tree.whole("hostPort").orElse(0);
    }

    String number() {
      return tree.whole("containerPort").orElse(0) + "/" + tree.text("protocol");
    }
  }

  /** Warns of ports with one number. Of very many, nobody would read what each has with each. */
  private void ports(List<Port> ports) {
    for (int i = 0; i < ports.size() && warnings.size() < MOST; i++) {
      Port port = ports.get(i);
      if (!port.hostAddress().isEmpty() && port.host() == 0) {
        add(
            port.at(),
            "hostIP set without hostPort: {Name:%s HostPort:0 ContainerPort:%d Protocol:%s %s}"
                .formatted(
                    port.tree().text("name"),
                    port.tree().whole("containerPort").orElse(0),
                    port.tree().text("protocol"),
                    "HostIP:" + port.hostAddress()));
      }
      ports.subList(0, i).stream()
          .limit(MOST)
          .forEach(other ->
              clash(port, other)
                  .ifPresent(how ->
                      add(
                          port.at(),
                          "%s port definition with %s.%s".formatted(how, field, other.at()))));
    }
  }

  /** In which way two definitions of a port get in each other's way, in one word or two. */
  private static Optional<String> clash(Port port, Port other) {
    boolean sameAddress = port.hostAddress().equals(other.hostAddress());
    if (sameAddress && port.host() == other.host()) {
      return Optional.of("duplicate");
    }
    if (port.host() == 0 || other.host() == 0) {
      return Optional.of("overlapping");
    }
    boolean oneIsAny = port.hostAddress().isEmpty() != other.hostAddress().isEmpty();
    return port.host() == other.host() && oneIsAny
        ? Optional.of("dangerously ambiguous")
        : Optional.empty();
  }
}
