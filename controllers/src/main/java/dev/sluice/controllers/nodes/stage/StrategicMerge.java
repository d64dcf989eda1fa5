package dev.sluice.controllers.nodes.stage;

import dev.sluice.controllers.nodes.template.TemplateException;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;

/**
 * Strategic merge patches of pods and nodes: maps merge, the lists named here merge by a key, other
 * lists are replaced, and null removes. The directives {@code $patch} and {@code
 * $setElementOrder/field} are supported; others are refused.
 */
final class StrategicMerge {
  private static final String DIRECTIVE = "$patch";
  private static final String ORDER = "$setElementOrder/";

  /** The lists that merge, each with the key of its elements; empty for plain strings. */
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
      if (!name.startsWith("$")) {
        merged = field(merged, name, patch.at(name));
      }
    }
    for (String name : patch.names()) {
      merged = name.startsWith("$") ? directed(merged, name, patch.items(name)) : merged;
    }
    return merged;
  }

  private static Tree directed(Tree target, String directive, List<Value> values) {
    if (directive.equals(DIRECTIVE)) {
      return target;
    }
    String name = directive.startsWith(ORDER) ? directive.substring(ORDER.length()) : "";
    String key = KEYS.get(name);
    if (key == null) {
      throw new TemplateException("stages do not know the directive " + directive);
    }
    return target.has(name) ? target.with(name, ordered(target.items(name), values, key)) : target;
  }

  /** The named elements share the positions that they have, in the given order. */
  private static Items ordered(List<Value> elements, List<Value> order, String key) {
    List<Value> wanted = order.stream().map(each -> identity(each, key)).toList();
    var named =
        elements.stream()
            .filter(each -> wanted.contains(identity(each, key)))
            .sorted(Comparator.comparingInt(each -> wanted.indexOf(identity(each, key))))
            .iterator();
    return new Items(
        elements.stream()
            .map(each -> wanted.contains(identity(each, key)) ? named.next() : each)
            .toList());
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

  /** A patch where there is nothing to merge it with: without nulls and directives. */
  private static Value fresh(Value patch) {
    return switch (patch) {
      case Tree tree -> apply(Tree.EMPTY, tree);
      case Items(List<Value> items) -> Items.of(items.stream().map(StrategicMerge::fresh).toList());
      case Value scalar -> scalar;
    };
  }
}
