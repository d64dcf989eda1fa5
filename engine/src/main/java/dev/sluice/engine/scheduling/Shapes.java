package dev.sluice.engine.scheduling;

import dev.sluice.model.core.PodSpec;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The shapes of pods, each read once however many pods have it: the pods of a Job share what makes
 * their shape.
 *
 * <p>Threads: none; they belong to the scheduler.
 */
final class Shapes {
  private static final int MOST = 1024;
  private static final List<String> FIELDS =
      List.of(
          "containers",
          "initContainers",
          "resources",
          "overhead",
          "nodeSelector",
          "affinity",
          "tolerations",
          "volumes",
          "resourceClaims");

  private final Resources resources;

  /** By the values of the fields; those not used for longest are forgotten. */
  private final Map<List<Value>, PodShape> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<Value>, PodShape> eldest) {
          return size() > MOST;
        }
      };

  Shapes(Resources resources) {
    this.resources = resources;
  }

  PodShape of(PodSpec pod) {
    Tree spec = pod.tree();
    List<Value> fields = FIELDS.stream().map(spec::at).toList();
    PodShape shape = known.get(fields);
    if (shape == null) {
      shape = PodShape.of(pod, resources);
      known.put(fields, shape);
    }
    return shape;
  }
}
