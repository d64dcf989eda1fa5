package dev.sluice.apiserver.registry;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.Map;

/**
 * The fields of built-in kinds that every stored object has, with their zero values. In Kubernetes
 * they are no pointers, so they are written even if they are zero: clients in Python and Java read
 * them without a check, and a JSON patch adds to them without creating them first.
 */
final class ZeroFields {
  private static final Tree STATUS = Tree.of("status", Tree.EMPTY);
  private static final Tree SPEC = Tree.of("spec", Tree.EMPTY);
  private static final Tree METADATA = Tree.of("metadata", Tree.EMPTY);

  private static final Map<ResourceKind, Tree> ZEROS =
      Map.ofEntries(
          Map.entry(
              Kinds.CRON_JOB,
              STATUS
                  .with(List.of("spec", "jobTemplate"), METADATA)
                  .with(List.of("spec", "jobTemplate", "spec", "template"), METADATA)),
          Map.entry(Kinds.JOB, STATUS),
          Map.entry(Kinds.LEASE, SPEC),
          Map.entry(Kinds.NODE, SPEC.with("status", node())),
          Map.entry(Kinds.POD_DISRUPTION_BUDGET, SPEC.with("status", disruptionBudget())),
          Map.entry(Kinds.PRIORITY_CLASS, Tree.of("value", 0)),
          Map.entry(Kinds.RESOURCE_QUOTA, SPEC.with("status", Tree.EMPTY)));

  private ZeroFields() {}

  private static Tree node() {
    Tree system = Tree.EMPTY;
    for (String field :
        List.of(
            "architecture",
            "bootID",
            "containerRuntimeVersion",
            "kernelVersion",
            "kubeProxyVersion",
            "kubeletVersion",
            "machineID",
            "operatingSystem",
            "osImage",
            "systemUUID")) {
      system = system.with(field, "");
    }
    return Tree.of("nodeInfo", system)
        .with(List.of("daemonEndpoints", "kubeletEndpoint", "Port"), 0);
  }

  private static Tree disruptionBudget() {
    return Tree.of(
        "currentHealthy", 0, "desiredHealthy", 0, "disruptionsAllowed", 0, "expectedPods", 0);
  }

  /** The object with the fields that its kind always has. */
  static ApiObject fill(ResourceKind kind, ApiObject object) {
    Tree filled = fill(object.tree(), ZEROS.getOrDefault(kind, Tree.EMPTY));
    return filled.equals(object.tree()) ? object : new ApiObject(filled);
  }

  private static Tree fill(Tree tree, Tree zeros) {
    Tree filled = tree;
    for (String name : zeros.names()) {
      Value zero = zeros.at(name);
      Value value = tree.at(name);
      if (value == Value.Null.NULL) {
        filled = filled.with(name, zero);
      } else if (zero instanceof Tree below && value instanceof Tree inside) {
        filled = filled.with(name, fill(inside, below));
      }
    }
    return filled;
  }
}
