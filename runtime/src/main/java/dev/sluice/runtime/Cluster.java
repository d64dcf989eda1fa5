package dev.sluice.runtime;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The port to a world: everything a controller may know of it and do to it.
 *
 * <p><b>Reads</b> come from a cache and never wait. A controller sees its own writes: once a write
 * has returned, reads show it or something newer. Before a listener gets an event, reads show it.
 *
 * <p><b>Writes</b> have preconditions and are refused with an {@link ApiException}: {@code
 * Conflict} if the object is not the one that was seen any more, {@code NotFound}, {@code
 * AlreadyExists}, {@code Invalid}. A refused write changes nothing.
 *
 * <p>Threads: safe.
 */
public interface Cluster {

  /** The one way to learn the time. */
  TimeSource time();

  /** The one source of randomness; seeded where the world is simulated. */
  RandomGenerator random();

  /**
   * The kind that this world serves under a name such as {@code batch/v1} and {@code Job}; empty if
   * it serves none. Unlike other reads this may wait: it asks the world.
   */
  Optional<ResourceKind> kind(String apiVersion, String kind);

  Optional<ApiObject> get(ObjectKey key);

  /** All objects of a kind, by namespace and name. */
  List<ApiObject> list(ResourceKind kind);

  /** The objects of a kind in one namespace, by name. */
  List<ApiObject> list(ResourceKind kind, String namespace);

  /**
   * Notifies the listener of every object that exists, then of every change in order, one at a
   * time. Returns once the listener has been notified of what exists. Listeners must return
   * promptly and must not write.
   */
  Subscription watch(ResourceKind kind, Consumer<ObjectEvent> listener);

  /** Creates an object and returns it as the world keeps it. */
  ApiObject create(ResourceKind kind, ApiObject object);

  /** Replaces everything but the status, if the object is still at its resourceVersion. */
  ApiObject update(ResourceKind kind, ApiObject object);

  /** Makes {@code status} the object's status, if the object is still as it was seen. */
  ApiObject patchStatus(ResourceKind kind, ApiObject seen, Tree status);

  /** Deletes the object, if it is still the one that was seen: same uid, any revision. */
  void delete(ResourceKind kind, ApiObject seen, Deletion deletion);

  /**
   * Posts to a subresource, such as a Binding to {@code binding} of a pod, which succeeds only
   * while the object's uid is the one in the posted metadata, where that names one.
   */
  void post(ObjectKey key, String subresource, ApiObject body);

  /**
   * Replaces what a subresource stands for, such as a namespace's finalizers by {@code finalize},
   * if the object is still at the resourceVersion of {@code body}.
   */
  ApiObject put(ObjectKey key, String subresource, ApiObject body);

  /**
   * Makes the object, or a subresource of it, what {@code configuration} says, whatever it is now,
   * by server-side apply: fields that it names are taken from their owners, fields that an earlier
   * one named and it does not are removed, and an object that is not there is created.
   *
   * @param subresource such as {@code status}; empty for the object itself
   */
  ApiObject apply(ResourceKind kind, String subresource, ApiObject configuration);

  /**
   * The same world, in which writes are made in the name of another user, if it lets us. Where the
   * user of a write is never checked there is no difference.
   */
  default Cluster as(String user) {
    return this;
  }

  /**
   * Does writes that do not depend on each other, in parallel where the world is live, and returns
   * once all are done. Each deals with its own refusals.
   */
  default void together(List<Runnable> writes) {
    writes.forEach(Runnable::run);
  }
}
