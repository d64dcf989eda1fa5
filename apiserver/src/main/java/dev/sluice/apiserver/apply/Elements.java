package dev.sluice.apiserver.apply;

import dev.sluice.apiserver.apply.MergeSchema.Parts;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * The elements of a list by their path elements, in order. Stored objects may have several elements
 * with the same keys (two ports that differ in a field that is not a key); these count as one
 * value. An element without an identity is left out.
 */
record Elements(SequencedMap<PathElement, List<Value>> byStep) {

  static Elements of(MergeSchema schema, Parts parts, Value list) {
    var elements = new LinkedHashMap<PathElement, List<Value>>();
    for (Value element : list instanceof Items(List<Value> values) ? values : List.<Value>of()) {
      schema
          .step(parts, element)
          .ifPresent(
              step -> elements.computeIfAbsent(step, ignored -> new ArrayList<>(1)).add(element));
    }
    return new Elements(elements);
  }

  boolean has(PathElement step) {
    return byStep.containsKey(step);
  }

  List<Value> at(PathElement step) {
    return Collections.unmodifiableList(byStep.getOrDefault(step, List.of()));
  }
}
