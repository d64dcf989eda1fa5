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
 * The admission of writes: new objects need a namespace and a definition that are not being
 * deleted, and the hooks of a kind may change or reject a write.
 *
 * <p>Hooks run on the thread of the request, without a lock, and again if the write lost a race:
 * their last run sees the object that is replaced. Each hook sees objects in the version of its own
 * kind. Threads: safe.
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

  /** Adds hooks for later writes, after the existing ones. */
  public void add(List<AdmissionHook> more) {
    hooks.addAll(more);
  }

  /** The error for an object that cannot be created now, if there is one. */
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

  /** A new object after mutating admission. */
  public ApiObject admit(RuledKind ruled, ApiObject asked, Snapshot now) {
    ApiObject admitted = asked;
    if (ruled.kind().equals(Kinds.POD)) {
      admitted = admitPod(asked, now);
    } else if (ruled.kind().equals(Kinds.PERSISTENT_VOLUME_CLAIM)) {
      admitted = withStorageClass(new PersistentVolumeClaim(asked), now);
    } else if (ruled.kind().equals(Kinds.SERVICE)) {
      admitted = ClusterAddresses.admitService(asked, now);
    }
    for (AdmissionHook hook : hooksOf(ruled)) {
      admitted = hook.onCreate(versions.in(hook.kind(), admitted));
    }
    return ruled.in(admitted);
  }

  /** A new pod after the plugins for its namespace and the classes it names. */
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

  /** An updated object after mutating admission. */
  public ApiObject admitUpdate(RuledKind ruled, ApiObject before, ApiObject asked) {
    ApiObject admitted =
        ruled.kind().equals(Kinds.POD) ? DefaultTolerations.admitPod(asked) : asked;
    for (AdmissionHook hook : hooksOf(ruled)) {
      admitted =
          hook.onUpdate(versions.in(hook.kind(), before), versions.in(hook.kind(), admitted));
    }
    return ruled.in(admitted);
  }

  /** Rejects a new object that fails validating admission. */
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

  /** Rejects an update that fails validating admission. */
  public void checkUpdate(RuledKind ruled, ApiObject before, ApiObject after, Snapshot now) {
    if (ruled.kind().equals(Kinds.PRIORITY_CLASS)) {
      PriorityAdmission.checkClass(after, now);
    }
    for (AdmissionHook hook : hooksOf(ruled)) {
      hook.checkUpdate(versions.in(hook.kind(), before), versions.in(hook.kind(), after));
    }
  }

  /** The warnings of the hooks of a kind about an object. */
  public List<String> warnings(RuledKind ruled, ApiObject object) {
    var warnings = new ArrayList<String>();
    for (AdmissionHook hook : hooksOf(ruled)) {
      warnings.addAll(hook.warnings(versions.in(hook.kind(), object)));
    }
    return warnings;
  }

  /** Rejects an update of the status that fails validating admission. */
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

  /** Rejects the deletion of objects that every cluster needs. */
  public static void checkDeletable(ObjectKey key) {
    if (key.kind().equals(Kinds.NAMESPACE) && PERMANENT.contains(key.name())) {
      throw ApiFailure.forbidden(key, "this namespace may not be deleted");
    }
  }
}
