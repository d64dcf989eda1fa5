package dev.sluice.kubernetes;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * A cluster that takes writes only from its leader. A controller that has not yet noticed that
 * another manager leads, because it waits or is busy, is rejected before it does harm.
 *
 * <p>Threads: safe.
 */
public final class FencedCluster implements Cluster {
  private final Cluster cluster;
  private final BooleanSupplier leads;

  public FencedCluster(Cluster cluster, BooleanSupplier leads) {
    this.cluster = cluster;
    this.leads = leads;
  }

  private Cluster forWriting() {
    if (!leads.getAsBoolean()) {
      throw ApiFailure.because(
          ApiFailure.Reason.SERVICE_UNAVAILABLE,
          "this manager does not lead any more, so it must not write");
    }
    return cluster;
  }

  @Override
  public TimeSource time() {
    return cluster.time();
  }

  @Override
  public RandomGenerator random() {
    return cluster.random();
  }

  @Override
  public Optional<ResourceKind> kind(String apiVersion, String kind) {
    return cluster.kind(apiVersion, kind);
  }

  @Override
  public Optional<ApiObject> get(ObjectKey key) {
    return cluster.get(key);
  }

  @Override
  public List<ApiObject> list(ResourceKind kind) {
    return cluster.list(kind);
  }

  @Override
  public List<ApiObject> list(ResourceKind kind, String namespace) {
    return cluster.list(kind, namespace);
  }

  @Override
  public Subscription watch(ResourceKind kind, Consumer<ObjectEvent> listener) {
    return cluster.watch(kind, listener);
  }

  @Override
  public ApiObject create(ResourceKind kind, ApiObject object) {
    return forWriting().create(kind, object);
  }

  @Override
  public ApiObject update(ResourceKind kind, ApiObject object) {
    return forWriting().update(kind, object);
  }

  @Override
  public ApiObject patchStatus(ResourceKind kind, ApiObject seen, Tree status) {
    return forWriting().patchStatus(kind, seen, status);
  }

  @Override
  public void delete(ResourceKind kind, ApiObject seen, Deletion deletion) {
    forWriting().delete(kind, seen, deletion);
  }

  @Override
  public void post(ObjectKey key, String subresource, ApiObject body) {
    forWriting().post(key, subresource, body);
  }

  @Override
  public ApiObject put(ObjectKey key, String subresource, ApiObject body) {
    return forWriting().put(key, subresource, body);
  }

  @Override
  public ApiObject apply(ResourceKind kind, String subresource, ApiObject configuration) {
    return forWriting().apply(kind, subresource, configuration);
  }

  @Override
  public Cluster as(String user) {
    return new FencedCluster(cluster.as(user), leads);
  }

  @Override
  public void together(List<Runnable> writes) {
    cluster.together(writes);
  }
}
