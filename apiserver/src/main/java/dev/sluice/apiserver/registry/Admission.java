package dev.sluice.apiserver.registry;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.store.Snapshot;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who may come in: new objects need a namespace, and a kind, that is not about to go. */
final class Admission {
  /** The namespaces that every cluster has. */
  static final List<String> PERMANENT =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

  private final List<AdmissionHook> hooks;

  Admission(List<AdmissionHook> hooks) {
    this.hooks = new CopyOnWriteArrayList<>(hooks);
  }

  /** Lets more hooks look at the writes from now on, after those that do so already. */
  void add(List<AdmissionHook> more) {
    hooks.addAll(more);
  }

  /** Why an object cannot be created now, if it cannot. */
  Optional<ApiException> refusal(RuledKind ruled, ObjectKey key, Snapshot now) {
    return namespaceRefusal(key, now).or(() -> definitionRefusal(ruled, key, now));
  }

  private static Optional<ApiException> namespaceRefusal(ObjectKey key, Snapshot now) {
    if (!key.kind().namespaced()) {
      return Optional.empty();
    }
    ObjectKey namespace = Kinds.NAMESPACE.key(key.namespace());
    Optional<ApiObject> found = now.get(namespace);
    if (found.isEmpty()) {
      return Optional.of(ApiFailure.notFound(namespace));
    }
    return found.get().isDeleting()
        ? Optional.of(Refusals.terminatingNamespace(key))
        : Optional.empty();
  }

  private static Optional<ApiException> definitionRefusal(
      RuledKind ruled, ObjectKey key, Snapshot now) {
    if (ruled.served().builtIn()) {
      return Optional.empty();
    }
    boolean alive =
        now.get(Kinds.CUSTOM_RESOURCE_DEFINITION.key(key.kind().qualifiedPlural()))
            .map(definition -> !definition.isDeleting())
            .orElse(false);
    return alive
        ? Optional.empty()
        : Optional.of(
            ApiFailure.forbidden(
                key, "create not allowed while custom resource definition is terminating"));
  }

  /** A new object as the hooks of its kind want it. */
  ApiObject admit(RuledKind ruled, ApiObject asked) {
    ApiObject admitted = asked;
    for (AdmissionHook hook : hooks) {
      admitted = hook.kind().equals(ruled.kind()) ? hook.onCreate(admitted) : admitted;
    }
    return admitted;
  }

  /** Refuses to delete what a cluster cannot be without. */
  static void checkDeletable(ObjectKey key) {
    if (key.kind().equals(Kinds.NAMESPACE) && PERMANENT.contains(key.name())) {
      throw ApiFailure.forbidden(key, "this namespace may not be deleted");
    }
  }
}
