package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.apiserver.registry.rules.QuantityValidation;
import dev.sluice.model.IpAddress;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Warnings about a valid pod or pod template: fields that are deprecated, hide another field, or
 * are probably a mistake.
 */
public final class PodWarnings {
  private static final int MAX_LABEL = 63;
  private static final List<String> BYTES = List.of("ephemeral-storage", "memory");

  private final String field;
  private final List<String> warnings = new ArrayList<>();

  private PodWarnings(String field) {
    this.field = field;
  }

  /**
   * The warnings about a pod or a pod template.
   *
   * @param at the path of the template, empty for a pod
   */
  public static List<String> of(String at, Tree template) {
    Tree spec = template.tree("spec");
    String start = at.isEmpty() ? "" : at + ".";
    var found = new PodWarnings(start + "spec");
    new PlacementWarnings(found::add).of(spec);
    var annotations =
        new AnnotationWarnings(
            template,
            (name, warning) ->
                found.warnings.add(
                    "%smetadata.annotations[%s]: %s".formatted(start, name, warning)));
    annotations.pod();
    found.volumes(spec.trees("volumes"));
    found.secrets(spec.trees("imagePullSecrets"));
    found.fractions("overhead", spec.tree("overhead"), BYTES);
    found.twice("hostAliases", "ip", spec);
    found.twice("imagePullSecrets", "name", spec);
    if (spec.whole("terminationGracePeriodSeconds").orElse(0) < 0) {
      found.add(
          "terminationGracePeriodSeconds",
          "must be >= 0; negative values are invalid and will be treated as 1");
    }
    var ports = new PortWarnings(found.field, found::add);
    for (String list : List.of("initContainers", "containers")) {
      List<Tree> containers = spec.trees(list);
      for (int i = 0; i < containers.size(); i++) {
        String container = "%s[%d]".formatted(list, i);
        annotations.container(containers.get(i));
        found.container(container, containers.get(i));
        ports.container(container, containers.get(i));
      }
    }
    found.addresses(spec);
    return found.warnings;
  }

  /**
   * The warning about a name that does not fit everything named after it.
   *
   * @param named what is named after it
   */
  public static Optional<String> ofName(String name, String named) {
    var problems = new ArrayList<String>();
    if (name.length() > MAX_LABEL) {
      problems.add("must be no more than %d characters".formatted(MAX_LABEL));
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

  private void volumes(List<Tree> volumes) {
    VolumeWarnings.outdated(volumes, this::add);
    for (int i = 0; i < volumes.size(); i++) {
      String at = "volumes[%d].ephemeral.volumeClaimTemplate.spec.resources.".formatted(i);
      Tree resources = volumes.get(i).tree("ephemeral", "volumeClaimTemplate", "spec", "resources");
      for (String list : List.of("requests", "limits")) {
        fractions(at + list, resources.tree(list), List.of("storage"));
      }
    }
    warnings.addAll(VolumeWarnings.overlapping(volumes));
  }

  private void addresses(Tree spec) {
    List<String> servers = spec.textItems("dnsConfig", "nameservers");
    for (int i = 0; i < servers.size(); i++) {
      address("dnsConfig.nameservers[%d]".formatted(i), servers.get(i));
    }
    List<Tree> aliases = spec.trees("hostAliases");
    for (int i = 0; i < aliases.size(); i++) {
      address("hostAliases[%d].ip".formatted(i), aliases.get(i).text("ip"));
    }
  }

  private void address(String at, String text) {
    Optional<String> usual = IpAddress.parse(text).filter(IpAddress::six).map(IpAddress::toString);
    if (usual.isPresent() && !usual.get().equals(text)) {
      add(
          at,
          "IPv6 address \"%s\" should be in RFC 5952 canonical format (\"%s\")"
              .formatted(text, usual.get()));
    }
  }

  private void secrets(List<Tree> secrets) {
    for (int i = 0; i < secrets.size(); i++) {
      if (secrets.get(i).text("name").isEmpty()) {
        add("imagePullSecrets[" + i + "].name", "invalid empty name \"\"");
      }
    }
  }

  /** Warns of duplicate keys in a list. */
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
      fractions("%s.resources.%s".formatted(at, list), container.tree("resources", list), BYTES);
    }
  }

  private void fractions(String at, Tree quantities, List<String> resources) {
    for (String resource : resources) {
      Optional<Quantity> bytes = QuantityValidation.parse(quantities.at(resource));
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
      // A value that extends the earlier one is intended.
      boolean adds = value.contains(reference) && !value.equals(reference);
      if (before != null && !adds) {
        add(
            "%s[%d]".formatted(at, i),
            "hides previous definition of \"%s\", which may be dropped when using apply"
                .formatted(name));
      }
    }
  }
}
