package dev.sluice.cli;

import dev.sluice.controllers.queueing.explain.ObjectReader;
import dev.sluice.controllers.queueing.visibility.VisibilityApi;
import dev.sluice.kubernetes.UncachedObjects;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The reads of an explanation on any API server. */
record UncachedReader(UncachedObjects objects) implements ObjectReader {
  private static final ResourceKind QUEUE =
      new ResourceKind(
          VisibilityApi.GROUP,
          VisibilityApi.VERSION,
          Kinds.LOCAL_QUEUE.kind(),
          Kinds.LOCAL_QUEUE.plural(),
          true);

  @Override
  public Optional<ApiObject> get(ObjectKey key) {
    return objects.get(key);
  }

  @Override
  public List<ApiObject> list(ResourceKind kind, String namespace) {
    return readable(() -> objects.list(any(kind, namespace)));
  }

  /** All objects of a kind with a name, in all namespaces. */
  List<ApiObject> named(ResourceKind kind, String name) {
    return objects.withFields(any(kind, ""), "metadata.name=" + name);
  }

  @Override
  public List<ApiObject> labelled(ResourceKind kind, String namespace, String label, String value) {
    return objects.labelled(any(kind, namespace), label, value);
  }

  @Override
  public List<ApiObject> events(ApiObject about) {
    return readable(() ->
        objects.withFields(
            any(Kinds.EVENT, about.namespace()), "involvedObject.uid=" + about.uid()));
  }

  @Override
  public Tree pending(String namespace, String localQueue, String workload) {
    return objects.read(
        QUEUE.key(namespace, localQueue),
        VisibilityApi.PENDING_WORKLOADS,
        "explain=true&workload=" + workload);
  }

  private static ObjectKey any(ResourceKind kind, String namespace) {
    return kind.namespaced() ? kind.key(namespace, "") : kind.key("");
  }

  /** What the user may not read adds nothing, and the rest of the explanation stays true. */
  private static List<ApiObject> readable(Supplier<List<ApiObject>> read) {
    try {
      return read.get();
    } catch (ApiException refused) {
      if (refused.is(Reason.FORBIDDEN)) {
        return List.of();
      }
      throw refused;
    }
  }
}
