package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SortedMap;

/** The selector of the objects that a stage is for: all requirements must hold. */
record Selector(
    SortedMap<String, String> labels,
    SortedMap<String, String> annotations,
    List<Requirement> requirements) {

  Selector {
    requirements = List.copyOf(requirements);
  }

  boolean matches(Tree object, Moment moment) {
    return has(object.tree("metadata", "labels"), labels)
        && has(object.tree("metadata", "annotations"), annotations)
        && allHold(object, moment);
  }

  private boolean allHold(Tree object, Moment moment) {
    for (Requirement requirement : requirements) {
      if (!requirement.holds(object, moment)) {
        return false;
      }
    }
    return true;
  }

  private static boolean has(Tree actual, SortedMap<String, String> wanted) {
    for (var entry : wanted.entrySet()) {
      if (!actual.has(entry.getKey()) || !actual.text(entry.getKey()).equals(entry.getValue())) {
        return false;
      }
    }
    return true;
  }
}
