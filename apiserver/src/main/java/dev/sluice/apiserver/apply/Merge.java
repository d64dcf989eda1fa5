package dev.sluice.apiserver.apply;

import dev.sluice.apiserver.apply.MergeSchema.Parts;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * The merge of a configuration into an object: granular values are merged part by part, atomic ones
 * are replaced.
 *
 * <p>Order of lists: elements in the configuration take the configuration's order. An element that
 * only the object has comes as early as its old position behind the common elements allows. So [G]
 * merged into [E, F] gives [E, F, G], and [F, E] merged into [E, X, F, Y] gives [X, F, Y, E].
 */
final class Merge {
  private Merge() {}

  static Tree of(MergeSchema schema, Tree object, Tree configuration) {
    return fields(schema, object, configuration);
  }

  private static Value values(MergeSchema schema, Value object, Value configuration) {
    Parts parts = schema.parts(object);
    if (configuration == Value.Null.NULL && parts != Parts.NONE) {
      return object;
    }
    if (parts != schema.parts(configuration)) {
      return configuration;
    }
    return switch (parts) {
      case NONE -> configuration;
      case FIELDS -> fields(schema, object.asTree(), configuration.asTree());
      case MEMBERS, KEYED -> elements(schema, parts, object, configuration);
    };
  }

  private static Tree fields(MergeSchema schema, Tree object, Tree configuration) {
    Tree merged = object;
    for (String name : configuration.names()) {
      Value wanted = configuration.at(name);
      merged =
          merged.with(
              name,
              object.has(name) ? values(schema.field(name), object.at(name), wanted) : wanted);
    }
    return merged;
  }

  private static Items elements(
      MergeSchema schema, Parts parts, Value object, Value configuration) {
    Elements present = Elements.of(schema, parts, object);
    Elements wanted = Elements.of(schema, parts, configuration);
    var merged = new ArrayList<Value>();
    for (PathElement step : order(present, wanted)) {
      merged.addAll(merged(schema.element(), present.at(step), wanted.at(step)));
    }
    return new Items(merged);
  }

  private static List<Value> merged(MergeSchema schema, List<Value> present, List<Value> wanted) {
    if (wanted.isEmpty()) {
      return present;
    }
    return present.size() == 1
        ? List.of(values(schema, present.getFirst(), wanted.getFirst()))
        : wanted;
  }

  private static SequencedSet<PathElement> order(Elements present, Elements wanted) {
    var order = new LinkedHashSet<PathElement>();
    List<PathElement> common = wanted.byStep().keySet().stream().filter(present::has).toList();
    List<PathElement> left = new ArrayList<>(present.byStep().keySet());
    int reached = 0;
    int place = 0;
    for (PathElement step : wanted.byStep().keySet()) {
      while (place < left.size()
          && (reached == common.size() || !left.get(place).equals(common.get(reached)))) {
        addUnlessWanted(left.get(place++), wanted, order);
      }
      order.add(step);
      reached += present.has(step) ? 1 : 0;
    }
    left.subList(place, left.size()).forEach(step -> addUnlessWanted(step, wanted, order));
    return order;
  }

  private static void addUnlessWanted(
      PathElement step, Elements wanted, SequencedSet<PathElement> order) {
    if (!wanted.has(step)) {
      order.add(step);
    }
  }
}
