package dev.sluice.conformance.kueue;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;

/** Compares what was given with what came back, which may have more fields, such as defaults. */
final class Subset {
  private Subset() {}

  /** The paths at which {@code got} does not say what {@code given} says. */
  static List<String> missing(Value given, Value got) {
    var missing = new ArrayList<String>();
    collect(given, got, "", missing);
    return missing;
  }

  private static void collect(Value given, Value got, String path, List<String> missing) {
    if (given instanceof Tree tree && got instanceof Tree other) {
      tree.forEach((name, value) -> collect(value, other.at(name), path + "." + name, missing));
    } else if (given instanceof Items(List<Value> items)
        && got instanceof Items(List<Value> others)
        && items.size() == others.size()) {
      for (int i = 0; i < items.size(); i++) {
        collect(items.get(i), others.get(i), path + "[" + i + "]", missing);
      }
    } else if (!given.equals(got)) {
      missing.add(path + ": " + given + " became " + got);
    }
  }
}
