package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * One entry of a pod's {@code topologySpreadConstraints}.
 *
 * @param required whether it filters nodes; otherwise it only scores them
 * @param minDomains the number of domains below which the global minimum is zero
 * @param honorsAffinity whether nodes that do not match the pod's node affinity are left out
 * @param honorsTaints whether nodes with taints that the pod does not tolerate are left out
 */
public record SpreadConstraint(
    String topologyKey,
    long maxSkew,
    boolean required,
    long minDomains,
    boolean honorsAffinity,
    boolean honorsTaints,
    Tree selector,
    List<String> matchLabelKeys) {

  public SpreadConstraint {
    matchLabelKeys = List.copyOf(matchLabelKeys);
  }

  static SpreadConstraint of(Tree tree) {
    return new SpreadConstraint(
        tree.text("topologyKey"),
        tree.whole("maxSkew").orElse(1),
        !tree.text("whenUnsatisfiable").equals("ScheduleAnyway"),
        tree.whole("minDomains").orElse(1),
        !tree.text("nodeAffinityPolicy").equals("Ignore"),
        tree.text("nodeTaintsPolicy").equals("Honor"),
        tree.tree("labelSelector"),
        tree.textItems("matchLabelKeys"));
  }
}
