package dev.sluice.apiserver.registry.admission;

import dev.sluice.apiserver.registry.kind.ApiErrors;
import dev.sluice.apiserver.registry.kind.RuledKind;
import dev.sluice.apiserver.registry.kind.Versions;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.model.core.storage.StorageClass;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.store.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Who may come in: new objects need a namespace, and a kind, that is not about to go; and what the
 * hooks of a kind make of a write, and whether they let it pass.
 *
 * <p>Hooks run on the thread of the writer, with no lock held, and again if the write lost a race:
 * so the last time they look, they see the object that is replaced. Each sees objects in the
 * version of its own kind. Threads: safe.
 */
public final class AdmissionChain {
  /** The namespaces that every cluster has. */
  public static final List<String> PERMANENT =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

  private final List<AdmissionHook> hooks;
  private final Versions versions;

  public AdmissionChain(List<AdmissionHook> hooks, Versions versions) {
    this.hooks = new CopyOnWriteArrayList<>(hooks);
    this.versions = versions;
  }

  /** Lets more hooks look at the writes from now on, after those that do so already. */
  public void add(List<AdmissionHook> more) {
    hooks.addAll(more);
  }

  /** Why an object cannot be created now, if it cannot. */
  public Optional<ApiException> refusal(RuledKind ruled, ObjectKey key, Snapshot now) {
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
        ? Optional.of(ApiErrors.terminatingNamespace(key))
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
  public ApiObject admit(RuledKind ruled, ApiObject asked, Snapshot now) {
    ApiObject admitted = asked;
    if (ruled.kind().equals(Kinds.POD)) {
      admitted = admitPod(asked, now);
    } else if (ruled.kind().equals(Kinds.PERSISTENT_VOLUME_CLAIM)) {
      admitted = withStorageClass(new PersistentVolumeClaim(asked), now);
    }
    for (AdmissionHook hook : hooksOf(ruled)) {
      admitted = hook.onCreate(versions.in(hook.kind(), admitted));
    }
    return ruled.in(admitted);
  }

  /** A new pod as its namespace and the classes it names want it. */
  private static ApiObject admitPod(ApiObject pod, Snapshot now) {
    ApiObject limited = LimitRanger.admitPod(pod, now);
    ApiObject ranked = PriorityAdmission.admitPod(ServiceAccounts.admitPod(limited, now), now);
    ApiObject classed = RuntimeClasses.admitPod(DefaultTolerations.admitPod(ranked), now);
    return TopologyLabels.admitPod(classed, now::get);
  }

  /** A new claim that names no class gets the default one, if there is one. */
  private static ApiObject withStorageClass(PersistentVolumeClaim claim, Snapshot now) {
    return claim.namesClass()
        ? claim.object()
        : StorageClass.newestDefault(now.list(Kinds.STORAGE_CLASS))
            .map(byDefault -> claim.withStorageClass(byDefault.name()).object())
            .orElse(claim.object());
  }

  /** A changed object as the hooks of its kind want it. */
  public ApiObject admitUpdate(RuledKind ruled, ApiObject before, ApiObject asked) {
    ApiObject admitted =
        ruled.kind().equals(Kinds.POD) ? DefaultTolerations.admitPod(asked) : asked;
    for (AdmissionHook hook : hooksOf(ruled)) {
      admitted =
          hook.onUpdate(versions.in(hook.kind(), before), versions.in(hook.kind(), admitted));
    }
    return ruled.in(admitted);
  }

  /** Refuses a new, valid object that a hook does not want. */
  public void checkCreate(RuledKind ruled, ApiObject object, Snapshot now) {
    if (ruled.kind().equals(Kinds.PRIORITY_CLASS)) {
      PriorityAdmission.checkClass(object, now);
    }
    if (ruled.kind().equals(Kinds.POD)) {
      LimitRanger.checkPod(object, now);
    }
    for (AdmissionHook hook : hooksOf(ruled)) {
      hook.checkCreate(versions.in(hook.kind(), object));
    }
  }

  /** Refuses a valid change that a hook does not want. */
  public void checkUpdate(RuledKind ruled, ApiObject before, ApiObject after, Snapshot now) {
    if (ruled.kind().equals(Kinds.PRIORITY_CLASS)) {
      PriorityAdmission.checkClass(after, now);
    }
    for (AdmissionHook hook : hooksOf(ruled)) {
      hook.checkUpdate(versions.in(hook.kind(), before), versions.in(hook.kind(), after));
    }
  }

  /** What the hooks of its kind have to say to the writer of an object. */
  public List<String> warnings(RuledKind ruled, ApiObject object) {
    var warnings = new ArrayList<String>();
    for (AdmissionHook hook : hooksOf(ruled)) {
      warnings.addAll(hook.warnings(versions.in(hook.kind(), object)));
    }
    return warnings;
  }

  /** Refuses a valid change of the status that a hook does not want. */
  public void checkStatus(RuledKind ruled, ApiObject before, ApiObject after) {
    for (AdmissionHook hook : hooksOf(ruled)) {
      hook.checkStatus(versions.in(hook.kind(), before), versions.in(hook.kind(), after));
    }
  }

  private List<AdmissionHook> hooksOf(RuledKind ruled) {
    ResourceKind kind = ruled.kind();
    var concerned = new ArrayList<AdmissionHook>();
    for (AdmissionHook hook : hooks) {
      if (hook.kind().plural().equals(kind.plural()) && hook.kind().group().equals(kind.group())) {
        concerned.add(hook);
      }
    }
    return concerned;
  }

  /** Refuses to delete what a cluster cannot be without. */
  public static void checkDeletable(ObjectKey key) {
    if (key.kind().equals(Kinds.NAMESPACE) && PERMANENT.contains(key.name())) {
      throw ApiFailure.forbidden(key, "this namespace may not be deleted");
    }
  }
}
