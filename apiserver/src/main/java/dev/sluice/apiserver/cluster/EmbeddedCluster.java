package dev.sluice.apiserver.cluster;

import dev.sluice.apiserver.registry.DeleteRequest;
import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.apiserver.registry.WriteOptions;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.BoundedParallel;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The cluster in the same process: controllers write through the registry, under the same rules as
 * any client, and read and watch the store. Nothing is cached: the result of a write is what the
 * next read returns, and listeners have been notified of it before the write returns.
 *
 * <p>Threads: safe.
 */
public final class EmbeddedCluster implements Cluster {
  /** The number of writes that may share one write to the disk. */
  private static final int MAX_TOGETHER = 2_048;

  private final StoreRegistry registry;
  private final Store store;
  private final TimeSource time;
  private final RandomGenerator random;
  private final Optional<BoundedParallel> sideBySide;

  /**
   * A cluster that does one thing after another, so that the same steps give the same history.
   *
   * @param store the store of the registry
   */
  public EmbeddedCluster(
      StoreRegistry registry, Store store, TimeSource time, RandomGenerator random) {
    this(registry, store, time, random, Optional.empty());
  }

  private EmbeddedCluster(
      StoreRegistry registry,
      Store store,
      TimeSource time,
      RandomGenerator random,
      Optional<BoundedParallel> sideBySide) {
    this.registry = registry;
    this.store = store;
    this.time = time;
    this.random = random;
    this.sideBySide = sideBySide;
  }

  /**
   * A cluster in real time over a durable store: writes that are submitted together share one write
   * to the disk.
   */
  public static EmbeddedCluster live(
      StoreRegistry registry, Store store, TimeSource time, RandomGenerator random) {
    return new EmbeddedCluster(
        registry, store, time, random, Optional.of(new BoundedParallel(MAX_TOGETHER)));
  }

  @Override
  public TimeSource time() {
    return time;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public Optional<ResourceKind> kind(String apiVersion, String kind) {
    return registry.kinds().stream()
        .map(ServedKind::kind)
        .filter(served -> served.apiVersion().equals(apiVersion) && served.kind().equals(kind))
        .findFirst();
  }

  @Override
  public Optional<ApiObject> get(ObjectKey key) {
    return store.get(key).map(object -> in(key.kind(), object));
  }

  @Override
  public List<ApiObject> list(ResourceKind kind) {
    return in(kind, store.snapshot().list(kind));
  }

  @Override
  public List<ApiObject> list(ResourceKind kind, String namespace) {
    return in(kind, store.snapshot().list(kind, namespace));
  }

  @Override
  public Subscription watch(ResourceKind kind, Consumer<ObjectEvent> listener) {
    return StoreWatch.start(store, kind, object -> in(kind, object), listener);
  }

  @Override
  public ApiObject create(ResourceKind kind, ApiObject object) {
    return registry.create(served(kind), object.namespace(), object.tree(), WriteOptions.INTERNAL);
  }

  @Override
  public ApiObject update(ResourceKind kind, ApiObject object) {
    requireSeen(kind, object);
    return registry.update(
        served(kind), object.namespace(), object.name(), "", object.tree(), WriteOptions.INTERNAL);
  }

  @Override
  public ApiObject patchStatus(ResourceKind kind, ApiObject seen, Tree status) {
    requireSeen(kind, seen);
    ServedKind served = served(kind);
    return registry.update(
        served,
        seen.namespace(),
        seen.name(),
        served.has("status") ? "status" : "",
        seen.withStatus(status).tree(),
        WriteOptions.INTERNAL);
  }

  /**
   * Rejects a write without a precondition, which would undo changes that its writer has not seen.
   */
  private static void requireSeen(ResourceKind kind, ApiObject object) {
    if (object.resourceVersion().isEmpty()) {
      throw ApiFailure.invalid(
          kind,
          object.name(),
          List.of(Cause.required("metadata.resourceVersion", "write the object that was read")));
    }
  }

  @Override
  public void delete(ResourceKind kind, ApiObject seen, Deletion deletion) {
    var request =
        new DeleteRequest(
            deletion.graceSeconds(),
            Optional.of(deletion.propagation()),
            Optional.of(seen.uid()),
            Optional.empty(),
            false);
    registry.delete(served(kind), seen.namespace(), seen.name(), request);
  }

  @Override
  public void post(ObjectKey key, String subresource, ApiObject body) {
    registry.post(
        served(key.kind()),
        key.namespace(),
        key.name(),
        subresource,
        body.tree(),
        WriteOptions.INTERNAL);
  }

  @Override
  public ApiObject put(ObjectKey key, String subresource, ApiObject body) {
    requireSeen(key.kind(), body);
    return registry.update(
        served(key.kind()),
        key.namespace(),
        key.name(),
        subresource,
        body.tree(),
        WriteOptions.INTERNAL);
  }

  @Override
  public ApiObject apply(ResourceKind kind, String subresource, ApiObject configuration) {
    return registry
        .apply(
            served(kind),
            configuration.namespace(),
            configuration.name(),
            subresource,
            configuration.tree(),
            true,
            WriteOptions.INTERNAL,
            () -> {})
        .object();
  }

  @Override
  public void together(List<Runnable> writes) {
    sideBySide.ifPresentOrElse(all -> all.run(writes), () -> Cluster.super.together(writes));
  }

  private ServedKind served(ResourceKind kind) {
    return registry
        .find(kind.group(), kind.version(), kind.plural())
        .orElseThrow(() ->
            ApiFailure.because(
                ApiFailure.Reason.NOT_FOUND,
                "the cluster does not know %s %s; is its CustomResourceDefinition installed?"
                    .formatted(kind.apiVersion(), kind.plural())));
  }

  private List<ApiObject> in(ResourceKind kind, List<ApiObject> stored) {
    boolean asStored =
        stored.stream().allMatch(object -> object.apiVersion().equals(kind.apiVersion()));
    return asStored ? stored : stored.stream().map(object -> in(kind, object)).toList();
  }

  private ApiObject in(ResourceKind kind, ApiObject stored) {
    return registry.in(kind, stored);
  }
}
