package dev.sluice.apiserver.registry;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.store.Change;
import dev.sluice.store.Snapshot;
import dev.sluice.store.Store;
import dev.sluice.store.Watch;
import java.util.Optional;
import java.util.function.Consumer;

/** A store beside a controller that removes every object as soon as it is marked for deletion. */
record FastCollectorStore(Store store) implements Store {

  @Override
  public ApiObject put(ObjectKey key, long expected, ApiObject object) {
    ApiObject stored = store.put(key, expected, object);
    if (stored.isDeleting()) {
      store.delete(key, Long.parseLong(stored.resourceVersion()));
    }
    return stored;
  }

  @Override
  public Snapshot snapshot() {
    return store.snapshot();
  }

  @Override
  public Optional<ApiObject> get(ObjectKey key) {
    return store.get(key);
  }

  @Override
  public Snapshot snapshot(long revision) {
    return store.snapshot(revision);
  }

  @Override
  public long delete(ObjectKey key, long expected) {
    return store.delete(key, expected);
  }

  @Override
  public Watch watch(ResourceKind kind, long after, Consumer<Change> listener) {
    return store.watch(kind, after, listener);
  }

  @Override
  public void compact(long revision) {
    store.compact(revision);
  }

  @Override
  public void checkWritable() {
    store.checkWritable();
  }

  @Override
  public long oldest() {
    return store.oldest();
  }

  @Override
  public void close() {
    store.close();
  }
}
