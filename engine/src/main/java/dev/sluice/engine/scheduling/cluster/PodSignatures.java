package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.LruMap;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The shapes of pods, each read once however many pods have it: the pods of a Job share what makes
 * their shape.
 *
 * <p>Threads: none; they belong to the scheduler.
 */
final class PodSignatures {
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
          "resourceClaims",
          "schedulerName");

  private final ResourceIndex resources;
  private List<Value> lastFields = List.of();
  private @Nullable PodSignature last;

  /** By the values of the fields; those not used for longest are forgotten. */
  private final Map<List<Value>, PodSignature> known = new LruMap<>(MOST);

  PodSignatures(ResourceIndex resources) {
    this.resources = resources;
  }

  PodSignature of(PodSpec pod) {
    Tree spec = pod.tree();
    // Pods come by the Job, and what they share is compared faster than it is hashed.
    if (last != null && isLikeLast(spec)) {
      return last;
    }
    List<Value> fields = FIELDS.stream().map(spec::at).toList();
    PodSignature shape = known.get(fields);
    if (shape == null) {
      shape = PodSignature.of(pod, resources);
      known.put(fields, shape);
    }
    lastFields = fields;
    last = shape;
    return shape;
  }

  private boolean isLikeLast(Tree spec) {
    for (int i = 0; i < lastFields.size(); i++) {
      if (!spec.at(FIELDS.get(i)).equals(lastFields.get(i))) {
        return false;
      }
    }
    return true;
  }
}
