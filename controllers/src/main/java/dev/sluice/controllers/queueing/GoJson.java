package dev.sluice.controllers.queueing;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The JSON that Go writes for the parts of a pod spec that a role hash covers: the fields of a
 * struct come in the order in which Kubernetes declares them, those of a map in alphabetical order,
 * and characters that have a meaning in HTML are escaped.
 */
final class GoJson {
  private static final List<String> POD_AFFINITY_TERM =
      List.of(
          "labelSelector",
          "namespaces",
          "topologyKey",
          "namespaceSelector",
          "matchLabelKeys",
          "mismatchLabelKeys");
  private static final List<String> SPREAD_CONSTRAINT =
      List.of(
          "maxSkew",
          "topologyKey",
          "whenUnsatisfiable",
          "labelSelector",
          "minDomains",
          "nodeAffinityPolicy",
          "nodeTaintsPolicy",
          "matchLabelKeys");
  private static final List<String> SELECTOR = List.of("matchLabels", "matchExpressions");
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final List<String> AFFINITY = List.of(REQUIRED, PREFERRED);

  private final StringBuilder text = new StringBuilder();

  private GoJson() {}

  static byte[] bytes(Tree tree) {
    var json = new GoJson();
    json.write("", tree);
    return json.text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * @param field the name of the field that has the value, or has it as an item
   */
  private void write(String field, Value value) {
    switch (value) {
      case Tree tree -> writeObject(field, tree);
      case Items(List<Value> items) -> writeArray(field, items);
      case Value.Text(String string) -> writeString(string);
      case Value.Whole _, Value.Decimal _, Value.Flag _, Value.Null _ -> text.append(value);
    }
  }

  private void writeObject(String field, Tree tree) {
    String separator = "{";
    for (String name : inOrder(field, tree)) {
      text.append(separator);
      writeString(name);
      text.append(':');
      write(name, tree.at(name));
      separator = ",";
    }
    text.append(tree.isEmpty() ? "{}" : "}");
  }

  private static List<String> inOrder(String field, Tree tree) {
    List<String> declared = declared(field);
    var names = new ArrayList<String>();
    declared.stream().filter(tree::has).forEach(names::add);
    tree.names().stream().filter(name -> !declared.contains(name)).forEach(names::add);
    return names;
  }

  /** The fields of a struct as declared, as far as that is not the alphabetical order. */
  private static List<String> declared(String field) {
    return switch (field) {
      case "tolerations" -> List.of("key", "operator", "value", "effect", "tolerationSeconds");
      case "ports" -> List.of("name", "hostPort", "containerPort", "protocol", "hostIP");
      case "nodeAffinity", "podAffinity", "podAntiAffinity" -> AFFINITY;
      case REQUIRED, "podAffinityTerm" -> POD_AFFINITY_TERM;
      case PREFERRED -> List.of("weight");
      case "labelSelector", "namespaceSelector" -> SELECTOR;
      case "topologySpreadConstraints" -> SPREAD_CONSTRAINT;
      default -> List.of();
    };
  }

  private void writeArray(String field, List<Value> items) {
    text.append('[');
    for (int i = 0; i < items.size(); i++) {
      text.append(i == 0 ? "" : ",");
      write(field, items.get(i));
    }
    text.append(']');
  }

  private void writeString(String string) {
    text.append(
        Json.write(new Value.Text(string))
            .replace("<", "\\u003c")
            .replace(">", "\\u003e")
            .replace("&", "\\u0026"));
  }
}
