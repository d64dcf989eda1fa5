package dev.sluice.store;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A store that lives as long as its process: no threads of its own and no disk. The caller's thread
 * does everything, so one thread sees a deterministic store. Threads: safe.
 */
final class MemoryStore implements Store {
  private final WatchCache ledger;

  MemoryStore(int historyLimit) {
    this.ledger = new WatchCache(State.EMPTY, List.of(), HistoryLimit.of(historyLimit));
  }

  @Override
  public Snapshot snapshot() {
    return ledger.current();
  }

  @Override
  public Optional<ApiObject> get(ObjectKey key) {
    return ledger.get(key);
  }

  @Override
  public Snapshot snapshot(long revision) {
    return ledger.at(revision);
  }

  @Override
  public ApiObject put(ObjectKey key, long expected, ApiObject object) {
    return ledger.commit(new Write.Put(key, expected, object)).after().orElseThrow();
  }

  @Override
  public long delete(ObjectKey key, long expected) {
    return ledger.commit(new Write.Delete(key, expected)).revision();
  }

  @Override
  public Watch watch(ResourceKind kind, long after, Consumer<Change> listener) {
    return ledger.watch(kind, after, listener);
  }

  @Override
  public void compact(long revision) {
    ledger.refuseListener();
    ledger.compact(revision);
  }

  @Override
  public void checkWritable() {
    ledger.checkOpen();
  }

  @Override
  public long oldest() {
    return ledger.oldest();
  }

  @Override
  public void close() {
    ledger.refuseListener();
    ledger.close();
  }
}
