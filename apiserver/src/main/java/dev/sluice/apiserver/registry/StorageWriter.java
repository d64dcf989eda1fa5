package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.registry.kind.ApiErrors;
import dev.sluice.apiserver.registry.kind.Versions;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.store.Snapshot;
import dev.sluice.store.StaleException;
import dev.sluice.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The last step of every write: the fields that are never absent, the check of the size, the
 * conversion to the storage version, and the store. A dry run ends here, and so does a write that
 * changes nothing. Threads: safe.
 */
final class StorageWriter {
  /** The maximum size of an object. */
  static final long MAX_BYTES = 3L * 512 * 1024;

  /** The maximum number of bytes that a character takes in JSON. */
  private static final int MAX_CHARACTER = 6;

  private final Store store;
  private final UnaryOperator<ResourceKind> storage;
  private final Versions versions;
  private final Consumer<ObjectKey> removed;

  /**
   * @param storage the version in which the objects of a kind are stored
   * @param removed is notified of every object that is removed
   */
  StorageWriter(
      Store store,
      UnaryOperator<ResourceKind> storage,
      Versions versions,
      Consumer<ObjectKey> removed) {
    this.store = store;
    this.storage = storage;
    this.versions = versions;
    this.removed = removed;
  }

  /** A snapshot of the store. */
  Snapshot snapshot() {
    return store.snapshot();
  }

  /** The object as it is stored now. */
  Optional<ApiObject> read(ObjectKey key) {
    return store.get(key);
  }

  /**
   * Creates the object.
   *
   * @throws StaleException if it exists already
   */
  ApiObject create(ObjectKey key, ApiObject asked, boolean dryRun) {
    ApiObject object = ZeroFields.fill(key.kind(), asked);
    checkSize(key, object);
    if (dryRun) {
      long taken = read(key).map(StorageWriter::revision).orElse(0L);
      if (taken != 0) {
        throw new StaleException(key, 0, taken);
      }
      return object;
    }
    return store.put(key, 0, stored(key, object));
  }

  /**
   * Replaces {@code before}, which came from the store, unless nothing changes.
   *
   * @throws StaleException if the object was changed concurrently
   */
  ApiObject replace(ObjectKey key, ApiObject before, ApiObject asked, boolean dryRun) {
    ApiObject after = ZeroFields.fill(key.kind(), asked);
    ApiObject toStore = stored(key, after);
    if (toStore.equals(before)) {
      return before;
    }
    checkSize(key, after);
    return dryRun ? after : store.put(key, revision(before), toStore);
  }

  /**
   * Removes {@code last}, which came from the store.
   *
   * @return the object with the revision of its removal
   * @throws StaleException if the object was changed concurrently
   */
  ApiObject remove(ObjectKey key, ApiObject last, boolean dryRun) {
    if (dryRun) {
      return last;
    }
    long revision = store.delete(key, revision(last));
    removed.accept(key);
    return last.withMetadata("resourceVersion", Long.toString(revision));
  }

  static long revision(ApiObject stored) {
    return Long.parseLong(stored.resourceVersion());
  }

  private ApiObject stored(ObjectKey key, ApiObject object) {
    return versions.in(storage.apply(key.kind()), object);
  }

  private static void checkSize(ObjectKey key, ApiObject object) {
    // Most objects are so small that an upper bound of their characters is enough.
    if (characters(object.tree()) * MAX_CHARACTER > MAX_BYTES) {
      long bytes = Json.bytes(object.tree()).length;
      if (bytes > MAX_BYTES) {
        throw ApiErrors.tooLarge(key, bytes, MAX_BYTES);
      }
    }
  }

  /** An upper bound of the characters that the value has in JSON. */
  private static long characters(Value value) {
    return switch (value) {
      case Value.Text(String text) -> text.length() + 2;
      case Value.Whole _ -> 20;
      case Value.Decimal(var number) -> number.toString().length();
      case Value.Flag _, Value.Null _ -> 5;
      case Items(List<Value> items) -> {
        long sum = 2;
        for (Value item : items) {
          sum += 1 + characters(item);
        }
        yield sum;
      }
      case Tree tree -> {
        long sum = 2;
        for (int i = 0; i < tree.size(); i++) {
          sum += 4 + tree.nameAt(i).length() + characters(tree.valueAt(i));
        }
        yield sum;
      }
    };
  }
}
