package dev.sluice.controllers.queueing.explain;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/** The reads of an explanation: few objects, by name, label or owner, and no watch. */
public interface ObjectReader {

  Optional<ApiObject> get(ObjectKey key);

  /** All objects of a kind in a namespace, or in all namespaces if it is empty. */
  List<ApiObject> list(ResourceKind kind, String namespace);

  /** The objects of a kind that have a label, in a namespace or, if it is empty, in all. */
  List<ApiObject> labelled(ResourceKind kind, String namespace, String label, String value);

  /** The events about an object. */
  List<ApiObject> events(ApiObject about);

  /**
   * The answer of the visibility API about one workload of a LocalQueue.
   *
   * @throws ApiException if it is not served, or the user may not read it
   */
  Tree pending(String namespace, String localQueue, String workload);
}
