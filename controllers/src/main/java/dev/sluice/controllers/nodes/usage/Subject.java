package dev.sluice.controllers.nodes.usage;

import dev.sluice.controllers.nodes.cel.CelValues;
import dev.sluice.model.ApiObject;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.Pod;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The subject of an expression: a node, a pod on it, or a container of that.
 *
 * @param variables its variables: {@code node}, {@code pod} and {@code container}
 */
record Subject(SortedMap<String, Object> variables) {

  Subject {
    variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
  }

  static Subject of(ApiObject node) {
    var variables = new TreeMap<String, Object>();
    variables.put("node", CelValues.timed(node.tree()));
    return new Subject(variables);
  }

  Subject with(Pod pod) {
    return with("pod", CelValues.timed(pod.object().tree()));
  }

  Subject with(Container container) {
    return with("container", CelValues.timed(container.tree()));
  }

  private Subject with(String name, Object value) {
    var more = new TreeMap<>(variables);
    more.put(name, value);
    return new Subject(more);
  }
}
