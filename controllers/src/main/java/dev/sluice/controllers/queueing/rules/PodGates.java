package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;

/** The scheduling gates of a pod or pod template. */
final class PodGates {
  private static final List<String> FIELD = List.of("spec", "schedulingGates");

  private PodGates() {}

  static boolean has(Tree pod, String gate) {
    return pod.trees("spec", "schedulingGates").stream()
        .anyMatch(found -> found.text("name").equals(gate));
  }

  static Tree withGate(Tree pod, String gate) {
    if (has(pod, gate)) {
      return pod;
    }
    var gates = new ArrayList<Value>(pod.items("spec", "schedulingGates"));
    gates.add(Tree.of("name", gate));
    return pod.with(FIELD, Items.of(gates));
  }
}
