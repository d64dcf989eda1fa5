package dev.sluice.apiserver.registry.admission;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.Quantities;
import dev.sluice.model.core.RuntimeClass;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.store.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The plugin RuntimeClass: new pods get the overhead of their class, and its node selector and
 * tolerations.
 */
final class RuntimeClasses {
  private RuntimeClasses() {}

  /** A new pod with the overhead and the scheduling of its class. */
  static ApiObject admitPod(ApiObject pod, Snapshot now) {
    String name = new PodSpec(pod.spec()).runtimeClassName();
    Optional<RuntimeClass> named =
        now.get(Kinds.RUNTIME_CLASS.key(name)).filter(_ -> !name.isEmpty()).map(RuntimeClass::new);
    if (named.isEmpty() && !name.isEmpty()) {
      throw refusal(pod, "RuntimeClass \"%s\" not found".formatted(name));
    }
    Quantities overhead = named.map(RuntimeClass::overhead).orElse(Quantities.NONE);
    ApiObject admitted = withOverhead(pod, overhead);
    return named.map(found -> withPlace(admitted, found)).orElse(admitted);
  }

  private static ApiObject withOverhead(ApiObject pod, Quantities overhead) {
    var spec = new PodSpec(pod.spec());
    if (overhead.isEmpty()) {
      if (spec.hasOverhead()) {
        throw refusal(pod, "Pod Overhead set without corresponding RuntimeClass defined Overhead");
      }
      return pod;
    }
    if (spec.hasOverhead() && !pod.spec().tree("overhead").equals(overhead.tree())) {
      throw refusal(pod, "Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    }
    return pod.withSpec(spec.withOverhead(overhead).tree());
  }

  private static ApiObject withPlace(ApiObject pod, RuntimeClass found) {
    Tree selector = pod.spec().tree("nodeSelector");
    for (Map.Entry<String, String> label : found.nodeSelector().entrySet()) {
      String key = label.getKey();
      if (selector.has(key) && !selector.text(key).equals(label.getValue())) {
        throw ApiFailure.forbidden(
            pod.key(Kinds.POD),
            "conflict: runtimeClass.scheduling.nodeSelector[%s] = %s; pod.spec.nodeSelector[%s] = %s"
                .formatted(key, label.getValue(), key, selector.text(key)));
      }
      selector = selector.with(key, label.getValue());
    }
    var tolerations = new ArrayList<Tree>(pod.spec().trees("tolerations"));
    found.tolerations().stream()
        .filter(one -> !tolerations.contains(one))
        .forEach(tolerations::add);
    ApiObject placed =
        selector.isEmpty() ? pod : pod.with(List.of("spec", "nodeSelector"), selector);
    return found.tolerations().isEmpty()
        ? placed
        : placed.with(List.of("spec", "tolerations"), Items.of(tolerations));
  }

  private static ApiException refusal(ApiObject pod, String why) {
    return ApiFailure.forbidden(pod.key(Kinds.POD), "pod rejected: " + why);
  }
}
