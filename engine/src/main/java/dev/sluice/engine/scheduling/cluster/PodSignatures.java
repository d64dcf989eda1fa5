package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.LruMap;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The signatures of pods, each read once however many pods have it: the pods of a Job share the
 * fields that make up their signature.
 *
 * <p>Threads: none; they belong to the scheduler.
 */
final class PodSignatures {
  private static final int MAX_SIGNATURES = 1024;
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

  /** By the values of the fields; evicts the least recently used. */
  private final Map<List<Value>, PodSignature> known = new LruMap<>(MAX_SIGNATURES);

  PodSignatures(ResourceIndex resources) {
    this.resources = resources;
  }

  PodSignature of(PodSpec pod) {
    Tree spec = pod.tree();
    // The pods of a Job come together, and shared fields are compared faster than hashed.
    if (last != null && isLikeLast(spec)) {
      return last;
    }
    List<Value> fields = FIELDS.stream().map(spec::at).toList();
    PodSignature signature = known.get(fields);
    if (signature == null) {
      signature = PodSignature.of(pod, resources);
      known.put(fields, signature);
    }
    lastFields = fields;
    last = signature;
    return signature;
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
