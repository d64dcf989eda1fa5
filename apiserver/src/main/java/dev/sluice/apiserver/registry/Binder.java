package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.registry.admission.TopologyLabels;
import dev.sluice.apiserver.registry.kind.ApiErrors;
import dev.sluice.apiserver.registry.rules.pod.PodRules;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.StaleException;
import java.util.List;

/** The binding of pods to nodes: the subresource {@code binding}. Threads: safe. */
final class Binder {
  private static final Tree DONE =
      Tree.of("kind", "Status", "apiVersion", "v1")
          .with("metadata", Tree.EMPTY)
          .with("status", "Success")
          .with("code", 201);

  private final StorageWriter writer;
  private final TimeSource time;

  Binder(StorageWriter writer, TimeSource time) {
    this.writer = writer;
    this.time = time;
  }

  /** Binds the pod and returns a Status. */
  Tree bind(ObjectKey pod, Tree binding, boolean dryRun) {
    checkBinding(pod, binding);
    String node = binding.text("target", "name");
    for (int attempt = 1; ; attempt++) {
      ApiObject stored = writer.read(pod).orElseThrow(() -> ApiFailure.notFound(pod));
      checkPod(pod, stored, binding);
      try {
        ApiObject bound = PodRules.bound(stored, node, binding.tree("metadata"), time.now());
        writer.replace(pod, stored, TopologyLabels.admitPod(bound, writer::read), dryRun);
        return DONE;
      } catch (StaleException lost) {
        if (attempt == Updater.ATTEMPTS) {
          throw conflict(pod, "it changes too fast; try again");
        }
      }
    }
  }

  private static void checkBinding(ObjectKey pod, Tree binding) {
    String name = binding.text("metadata", "name");
    if (!name.isEmpty() && !name.equals(pod.name())) {
      throw ApiErrors.badRequest(
          "the name of the binding (%s) does not match the name on the URL (%s)"
              .formatted(name, pod.name()));
    }
    var problems = new ValidationErrors();
    String kind = binding.text("target", "kind");
    if (!kind.isEmpty()) {
      problems.oneOf("target.kind", kind, List.of("Node", "<empty>"));
    }
    if (binding.text("target", "name").isEmpty()) {
      problems.required("target.name", "");
    }
    problems.refuse(Kinds.BINDING, pod.name());
  }

  private static void checkPod(ObjectKey key, ApiObject pod, Tree binding) {
    ApiErrors.checkPreconditions(key, pod, binding.tree("metadata"));
    if (pod.isDeleting()) {
      throw conflict(
          key, "pod %s is being deleted, cannot be assigned to a host".formatted(pod.name()));
    }
    String node = pod.spec().text("nodeName");
    if (!node.isEmpty()) {
      throw conflict(key, "pod %s is already assigned to node \"%s\"".formatted(pod.name(), node));
    }
    if (!pod.spec().trees("schedulingGates").isEmpty()) {
      throw conflict(key, "pod %s has non-empty .spec.schedulingGates".formatted(pod.name()));
    }
  }

  private static ApiException conflict(ObjectKey pod, String why) {
    String message =
        "Operation cannot be fulfilled on pods/binding \"%s\": %s".formatted(pod.name(), why);
    return new ApiFailure(
            ApiFailure.Reason.CONFLICT, message, "", "pods/binding", pod.name(), List.of(), 0)
        .exception();
  }
}
