package dev.sluice.apiserver.registry.admission;

import dev.sluice.apiserver.registry.rules.core.PriorityClassRules;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.store.Snapshot;
import java.util.Comparator;
import java.util.Optional;

/**
 * The plugin Priority: new pods get the priority of the class they name, or of the global default
 * class, of which there can be only one.
 */
final class PriorityAdmission {
  private static final Tree NO_CLASS =
      Tree.of("value", 0, "preemptionPolicy", PriorityClassRules.PREEMPT);

  private PriorityAdmission() {}

  /** A new pod with its priority. */
  static ApiObject admitPod(ApiObject pod, Snapshot now) {
    ObjectKey key = pod.key(Kinds.POD);
    String name = pod.spec().text("priorityClassName");
    Optional<ApiObject> named =
        name.isEmpty() ? byDefault(now) : now.get(Kinds.PRIORITY_CLASS.key(name));
    if (named.isEmpty() && !name.isEmpty()) {
      throw ApiFailure.forbidden(key, "no PriorityClass with name " + name + " was found");
    }
    Tree found = named.map(ApiObject::tree).orElse(NO_CLASS);
    Tree spec = pod.spec();
    spec = computed(key, spec, "priority", found.at("value"));
    spec = computed(key, spec, "preemptionPolicy", found.at("preemptionPolicy"));
    return pod.withSpec(
        named.isPresent() ? spec.with("priorityClassName", named.get().name()) : spec);
  }

  private static Optional<ApiObject> byDefault(Snapshot now) {
    return now.list(Kinds.PRIORITY_CLASS).stream()
        .filter(candidate -> candidate.tree().flag("globalDefault"))
        .min(Comparator.comparingLong(candidate -> candidate.tree().whole("value").orElse(0)));
  }

  private static Tree computed(ObjectKey key, Tree spec, String field, Value value) {
    if (spec.has(field) && !spec.at(field).equals(value)) {
      throw ApiFailure.forbidden(
          key,
          "spec.%s (%s) must not be provided; the pod gets %s from its PriorityClass"
              .formatted(field, spec.at(field), value));
    }
    return spec.with(field, value);
  }

  /** Rejects a second global default class. */
  static void checkClass(ApiObject written, Snapshot now) {
    if (!written.tree().flag("globalDefault")) {
      return;
    }
    byDefault(now)
        .filter(other -> !other.name().equals(written.name()))
        .ifPresent(other -> {
          throw ApiFailure.forbidden(
              written.key(Kinds.PRIORITY_CLASS),
              "PriorityClass %s is already marked as default. Only one default can exist"
                  .formatted(other.name()));
        });
  }
}
