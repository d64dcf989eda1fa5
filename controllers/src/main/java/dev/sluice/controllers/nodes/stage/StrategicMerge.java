package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * Strategic merge patches of pods and nodes, without directives but {@code $patch}: maps merge, the
 * lists named here merge by a key, other lists are replaced, and null removes.
 */
final class StrategicMerge {
  private static final String DIRECTIVE = "$patch";

  /** The lists that merge, each with the key of its elements; empty for plain texts. */
  private static final SortedMap<String, String> KEYS =
      Tree.of(
              "addresses", "type",
              "conditions", "type",
              "containers", "name",
              "env", "name",
              "ephemeralContainers", "name",
              "finalizers", "",
              "hostAliases", "ip",
              "hostIPs", "ip",
              "imagePullSecrets", "name",
              "initContainers", "name",
              "ownerReferences", "uid",
              "podCIDRs", "",
              "podIPs", "ip",
              "ports", "containerPort",
              "topologySpreadConstraints", "topologyKey",
              "volumeMounts", "mountPath",
              "volumes", "name")
          .texts();

  private StrategicMerge() {}

  static Tree apply(Tree target, Tree patch) {
    if (patch.text(DIRECTIVE).equals("replace")) {
      return fresh(patch.without(DIRECTIVE)).asTree();
    }
    Tree merged = target;
    for (String name : patch.names()) {
      merged = field(merged, name, patch.at(name));
    }
    return merged;
  }

  private static Tree field(Tree target, String name, Value change) {
    String key = KEYS.get(name);
    return switch (change) {
      case Value.Null _ -> target.without(name);
      case Tree child when target.at(name) instanceof Tree old ->
          target.with(name, apply(old, child));
      case Items(List<Value> items) when key != null ->
          target.with(name, merged(target.items(name), items, key));
      case Value other -> target.with(name, fresh(other));
    };
  }

  private static Items merged(List<Value> old, List<Value> changes, String key) {
    var merged = new ArrayList<>(old);
    for (Value change : changes) {
      int index = index(merged, change, key);
      boolean goes = change.asTree().text(DIRECTIVE).equals("delete");
      if (goes && index >= 0) {
        merged.remove(index);
      } else if (index >= 0) {
        merged.set(index, element(merged.get(index), change));
      } else if (!goes) {
        merged.add(fresh(change));
      }
    }
    return new Items(merged);
  }

  private static int index(List<Value> elements, Value change, String key) {
    for (int i = 0; i < elements.size(); i++) {
      if (identity(elements.get(i), key).equals(identity(change, key))) {
        return i;
      }
    }
    return -1;
  }

  private static Value identity(Value element, String key) {
    return element instanceof Tree tree && !key.isEmpty() ? tree.at(key) : element;
  }

  private static Value element(Value old, Value change) {
    return old instanceof Tree tree && change instanceof Tree changes
        ? apply(tree, changes)
        : change;
  }

  /** What a patch says where there is nothing to merge it with: all but its nulls. */
  private static Value fresh(Value patch) {
    return switch (patch) {
      case Tree tree -> {
        Tree kept = tree;
        for (String name : tree.names()) {
          kept =
              tree.at(name) == Value.Null.NULL
                  ? kept.without(name)
                  : kept.with(name, fresh(tree.at(name)));
        }
        yield kept;
      }
      case Items(List<Value> items) -> Items.of(items.stream().map(StrategicMerge::fresh).toList());
      case Value scalar -> scalar;
    };
  }
}
