package dev.sluice.controllers;

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
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The cluster of a controller that keeps an index of one kind: the index is notified of every write
 * to an object of the kind before the write returns. Reads show own writes at once, but watch
 * events may come later; with this the index is as new as the reads.
 *
 * <p>A refused write notifies too, because the object may be gone or changed. The index reads the
 * object again, so the watch event that follows changes nothing more.
 *
 * <p>Threads: safe; the listener is called on the thread of the write.
 */
public final class NotifyingCluster implements Cluster {
  private final Cluster cluster;
  private final ResourceKind indexed;
  private final Consumer<ObjectKey> listener;

  /**
   * @param indexed the kind of the index
   * @param listener updates the index after a write; writes may come from several threads
   */
  public NotifyingCluster(Cluster cluster, ResourceKind indexed, Consumer<ObjectKey> listener) {
    this.cluster = cluster;
    this.indexed = indexed;
    this.listener = listener;
  }

  private void written(ObjectKey key) {
    if (key.kind().equals(indexed)) {
      listener.accept(key);
    }
  }

  private <T> T write(ObjectKey key, Supplier<T> write) {
    try {
      return write.get();
    } finally {
      written(key);
    }
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

  /** The world may choose the name. */
  @Override
  public ApiObject create(ResourceKind kind, ApiObject object) {
    ApiObject created = cluster.create(kind, object);
    written(created.key(kind));
    return created;
  }

  @Override
  public ApiObject update(ResourceKind kind, ApiObject object) {
    return write(object.key(kind), () -> cluster.update(kind, object));
  }

  @Override
  public ApiObject patchStatus(ResourceKind kind, ApiObject seen, Tree status) {
    return write(seen.key(kind), () -> cluster.patchStatus(kind, seen, status));
  }

  @Override
  public void delete(ResourceKind kind, ApiObject seen, Deletion deletion) {
    try {
      cluster.delete(kind, seen, deletion);
    } finally {
      written(seen.key(kind));
    }
  }

  @Override
  public void post(ObjectKey key, String subresource, ApiObject body) {
    try {
      cluster.post(key, subresource, body);
    } finally {
      written(key);
    }
  }

  @Override
  public ApiObject put(ObjectKey key, String subresource, ApiObject body) {
    return write(key, () -> cluster.put(key, subresource, body));
  }

  @Override
  public ApiObject apply(ResourceKind kind, String subresource, ApiObject configuration) {
    return write(configuration.key(kind), () -> cluster.apply(kind, subresource, configuration));
  }

  @Override
  public Cluster as(String user) {
    return new NotifyingCluster(cluster.as(user), indexed, listener);
  }

  @Override
  public void together(List<Runnable> writes) {
    cluster.together(writes);
  }
}
