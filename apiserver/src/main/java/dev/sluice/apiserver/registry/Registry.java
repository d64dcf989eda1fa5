package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The rules of the API over the store: defaulting, admission, validation, metadata, status split,
 * generations, finalizers and deletion. Every rejection is an {@link ApiException}.
 *
 * <p>Threads: safe.
 */
public interface Registry {

  /** The kinds that are served now, core group first, in the order of discovery. */
  List<ServedKind> kinds();

  Optional<ServedKind> find(String group, String version, String plural);

  /** A stored object in the version of the kind. */
  ApiObject in(ResourceKind kind, ApiObject stored);

  /**
   * What a subresource shows of an object: a Scale, or the object itself.
   *
   * @param object in the version of the kind
   */
  ApiObject shown(ServedKind kind, String subresource, ApiObject object);

  /** The warning for every request in this version of the kind, if it is deprecated. */
  Optional<String> deprecation(ServedKind kind);

  /**
   * Creates an object; {@code namespace} is the one in the path, empty for a cluster-scoped kind.
   */
  ApiObject create(ServedKind kind, String namespace, Tree body, WriteOptions options);

  /** Replaces an object, or one subresource of it; {@code subresource} is empty for the object. */
  ApiObject update(
      ServedKind kind,
      String namespace,
      String name,
      String subresource,
      Tree body,
      WriteOptions options);

  /**
   * Changes an object by a function of its current state, and retries if it changes concurrently.
   */
  ApiObject patch(
      ServedKind kind,
      String namespace,
      String name,
      String subresource,
      UnaryOperator<Tree> patch,
      WriteOptions options);

  /**
   * Applies a configuration to an object, or creates the object.
   *
   * @param force whether fields are taken from their owners
   * @param beforeCreation throws unless the object may be created
   */
  Applied apply(
      ServedKind kind,
      String namespace,
      String name,
      String subresource,
      Tree configuration,
      boolean force,
      WriteOptions options,
      Runnable beforeCreation);

  /** The object after the apply, and whether it was created. */
  record Applied(ApiObject object, boolean created) {}

  /** Creates a subresource, such as a Binding; returns the response. */
  Tree post(
      ServedKind kind,
      String namespace,
      String name,
      String subresource,
      Tree body,
      WriteOptions options);

  Deleted delete(ServedKind kind, String namespace, String name, DeleteRequest request);

  /** The last state of the object, and whether it has been removed. */
  record Deleted(ApiObject object, boolean gone) {}
}
