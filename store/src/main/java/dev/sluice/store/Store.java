package dev.sluice.store;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Objects under one global revision.
 *
 * <p>Every write raises the revision by one and succeeds only if the object is still at the
 * revision the writer saw. When a write returns, it is durable, visible to every later {@link
 * #snapshot()}, and has been handed to every watch. Listeners are called in the order of revisions,
 * one change at a time, after the change is visible; they must not block and must not write.
 *
 * <p>Kinds are distinguished by group and plural; their versions share the objects.
 *
 * <p>Threads: safe. Reads never wait for writes.
 */
public interface Store extends AutoCloseable {

  /** The store as it is now. */
  Snapshot snapshot();

  /**
   * One object as it is now. It costs the same however many objects there are; for a short time it
   * may show a write that {@link #snapshot()} does not show yet.
   */
  Optional<ApiObject> get(ObjectKey key);

  /**
   * The store as it was at a revision.
   *
   * @throws CompactedException if that revision is no longer kept
   * @throws IllegalArgumentException if that revision has not happened yet
   */
  Snapshot snapshot(long revision);

  /**
   * Writes an object.
   *
   * @param expected the revision at which the writer saw the object; 0 if it must not exist
   * @return the object as stored, with its new resourceVersion
   * @throws StaleException if the object is not at the expected revision
   * @throws StoppedException if the store is closed or its disk failed
   */
  ApiObject put(ObjectKey key, long expected, ApiObject object);

  /**
   * Removes an object.
   *
   * @param expected the revision at which the writer saw the object
   * @return the revision of the removal
   * @throws StaleException if the object is not at the expected revision
   * @throws StoppedException if the store is closed or its disk failed
   */
  long delete(ObjectKey key, long expected);

  /**
   * Notifies the listener of every change of a kind after a revision: first of those in the
   * history, then of new ones, without a gap. The history is replayed on this thread before the
   * watch returns, and what the listener throws then is thrown here; later it is logged and ends
   * the watch.
   *
   * @throws CompactedException if the history since that revision is no longer kept
   * @throws IllegalArgumentException if that revision has not happened yet
   * @throws StoppedException if the store is closed
   */
  Watch watch(ResourceKind kind, long after, Consumer<Change> listener);

  /**
   * Forgets the history up to a revision, which stays the oldest that can be asked for. The current
   * objects stay, and so do the watches. The store does this by itself when its history is full.
   *
   * @throws IllegalArgumentException if that revision has not happened yet
   */
  void compact(long revision);

  /**
   * Checks that writes are taken.
   *
   * @throws StoppedException if they are refused, since the store is closed or its disk failed
   */
  void checkWritable();

  /** The oldest revision that can be asked for. */
  long oldest();

  /** Ends the watches and refuses further writes. What was read and can be read stays readable. */
  @Override
  void close();
}
