package dev.sluice.store;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.SharedValues;
import dev.sluice.model.tree.Tree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A store whose writes are on the disk before they are answered. Everything is read from memory;
 * the journal is read only when a store is opened. Objects share their equal parts. Threads: safe.
 */
final class DurableStore implements Store {
  private final Journal journal;
  private final WatchCache ledger;
  private final Committer committer;
  private final SharedValues parts = new SharedValues();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param name what messages call the store
   * @param journal closed with the store
   */
  DurableStore(String name, Journal journal, WatchCache ledger) {
    this.journal = journal;
    this.ledger = ledger;
    this.committer = new Committer(name, journal, ledger);
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
    ledger.refuseListener();
    Tree before = ledger.get(key).map(ApiObject::tree).orElse(Tree.EMPTY);
    var shared = new ApiObject(parts.share(object.tree(), before));
    var write = new Write.Put(key, expected, shared);
    return committer.commit(write, Encoded.of(key, shared)).after().orElseThrow();
  }

  @Override
  public long delete(ObjectKey key, long expected) {
    ledger.refuseListener();
    return committer.commit(new Write.Delete(key, expected), Encoded.NOTHING).revision();
  }

  @Override
  public Watch watch(ResourceKind kind, long after, Consumer<Change> listener) {
    return ledger.watch(kind, after, listener);
  }

  @Override
  public void compact(long revision) {
    ledger.refuseListener();
    committer.compact(revision);
  }

  @Override
  public void checkWritable() {
    committer.checkOpen();
  }

  @Override
  public long oldest() {
    return ledger.oldest();
  }

  @Override
  public void close() {
    ledger.refuseListener();
    committer.close();
    if (closed.getAndSet(true)) {
      return;
    }
    ledger.close();
    try {
      journal.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
