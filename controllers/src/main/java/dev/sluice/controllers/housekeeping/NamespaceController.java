package dev.sluice.controllers.housekeeping;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.Namespace;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The namespace controller: creates the default service account of every namespace, empties the
 * namespaces that are being deleted, and finalizes them once they have no object of the given kinds
 * and of custom ones. Until then the conditions of the namespace say what remains.
 */
public final class NamespaceController implements Controller {
  /**
   * How often to check whether objects of custom kinds are gone, since these are not watched here.
   */
  private static final Duration UNWATCHED = Duration.ofSeconds(1);

  private static final String ACCOUNT = "default";

  private final Cluster cluster;
  private final List<ResourceKind> kinds;

  public NamespaceController(Cluster cluster, List<ResourceKind> kinds) {
    this.cluster = cluster;
    this.kinds = kinds.stream().filter(ResourceKind::namespaced).toList();
  }

  @Override
  public String name() {
    return "namespaces";
  }

  @Override
  public List<Trigger> triggers() {
    var triggers = new ArrayList<Trigger>();
    triggers.add(Trigger.on(Kinds.NAMESPACE));
    kinds.forEach(kind -> triggers.add(new Trigger(kind, this::contentChanged)));
    return triggers;
  }

  /** An object that is created late must be deleted too, and a deleted one may be the last. */
  private List<ObjectKey> contentChanged(ObjectEvent event) {
    if (event.type() == ObjectEvent.Type.MODIFIED) {
      return List.of();
    }
    ObjectKey namespace = Kinds.NAMESPACE.key(event.object().namespace());
    boolean terminating = cluster.get(namespace).filter(ApiObject::isDeleting).isPresent();
    boolean lostAccount =
        event.type() == ObjectEvent.Type.DELETED
            && event.object().isA(Kinds.SERVICE_ACCOUNT)
            && event.object().name().equals(ACCOUNT);
    return terminating || lostAccount ? List.of(namespace) : List.of();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<Namespace> found = cluster.get(key).map(Namespace::new);
    if (found.isEmpty()) {
      return Outcome.DONE;
    }
    return found.get().isTerminating() ? empty(found.get(), key) : furnish(key.name());
  }

  private Outcome furnish(String namespace) {
    if (cluster.get(Kinds.SERVICE_ACCOUNT.key(namespace, ACCOUNT)).isEmpty()) {
      try {
        cluster.create(
            Kinds.SERVICE_ACCOUNT, ApiObject.of(Kinds.SERVICE_ACCOUNT, namespace, ACCOUNT));
      } catch (ApiException refused) {
        if (!refused.is(ApiFailure.Reason.ALREADY_EXISTS)) {
          throw refused;
        }
      }
    }
    return Outcome.DONE;
  }

  private Outcome empty(Namespace namespace, ObjectKey key) {
    List<ResourceKind> content = contentKinds();
    for (ResourceKind kind : content) {
      cluster.together(
          cluster.list(kind, key.name()).stream()
              .filter(object -> !object.isDeleting())
              .<Runnable>map(object -> () -> delete(kind, object))
              .toList());
    }
    var contents = new NamespaceContents();
    content.forEach(kind -> contents.add(kind, cluster.list(kind, key.name())));
    if (!contents.isEmpty()) {
      Tree status = contents.in(namespace.object().status(), cluster.time().now());
      if (!status.equals(namespace.object().status())) {
        cluster.patchStatus(Kinds.NAMESPACE, namespace.object(), status);
      }
      return Outcome.again(UNWATCHED);
    }
    if (namespace.specFinalizers().contains(Namespace.CONTENTS)) {
      Namespace emptied = namespace.withoutSpecFinalizer(Namespace.CONTENTS);
      cluster.put(key, "finalize", emptied.object());
    }
    return Outcome.DONE;
  }

  /** The given kinds and the custom ones, which may come and go while this runs. */
  private List<ResourceKind> contentKinds() {
    var content = new ArrayList<>(kinds);
    CustomKinds.defined(cluster, kinds).stream()
        .filter(ResourceKind::namespaced)
        .forEach(content::add);
    return List.copyOf(content);
  }

  private void delete(ResourceKind kind, ApiObject object) {
    try {
      cluster.delete(kind, object, Deletion.BACKGROUND);
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.NOT_FOUND)) {
        throw refused;
      }
    }
  }
}
