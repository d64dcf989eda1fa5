package dev.sluice.controllers.housekeeping;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.Ownership;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The garbage collector: deletes objects whose owners are all gone, holds back owners that are
 * deleted in the foreground, and removes the owner references of orphaned objects.
 *
 * <p>It knows the given kinds and the custom ones: an owner of another kind counts as present. An
 * owner that reads do not show counts as gone, so the collector needs an API server whose reads
 * show an owner no later than its dependents, as the embedded one does; a real cluster has its own
 * collector.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class GarbageCollector implements Controller {

  /** The state of an object's owner. */
  private enum OwnerState {
    /** It exists, or its kind is unknown. */
    SOLID,
    /** It is deleted as soon as its dependents are gone. */
    WAITING,
    /** It is gone, or another object has its name. */
    ABSENT
  }

  private final Cluster cluster;
  private final List<ResourceKind> kinds;
  private final CustomKinds customKinds;
  private final OwnerGraph graph;
  private final ForeignOwners foreignOwners;

  /**
   * The state of owners when their dependents were last checked; only of owners with dependents.
   */
  private final TreeMap<ObjectKey, String> looked = new TreeMap<>();

  private volatile Consumer<ObjectKey> wake = _ -> {};

  public GarbageCollector(Cluster cluster, List<ResourceKind> kinds) {
    this.cluster = cluster;
    this.kinds = kinds.stream().filter(kind -> !kind.equals(Kinds.EVENT)).toList();
    this.customKinds =
        new CustomKinds(cluster, this.kinds, (kind, event) -> changed(kind, event).forEach(wake));
    this.graph = new OwnerGraph(cluster, this::knownKinds);
    this.foreignOwners = new ForeignOwners(cluster, graph);
  }

  @Override
  public String name() {
    return "garbage-collector";
  }

  @Override
  public List<Trigger> triggers() {
    return Stream.concat(
            kinds.stream().map(kind -> new Trigger(kind, event -> changed(kind, event))),
            Stream.of(Trigger.onAny(Kinds.CUSTOM_RESOURCE_DEFINITION, CustomKinds.DEFINITIONS)))
        .toList();
  }

  @Override
  public Subscription listen(Consumer<ObjectKey> asked) {
    wake = asked;
    return customKinds::close;
  }

  private List<ResourceKind> knownKinds() {
    return Stream.concat(kinds.stream(), customKinds.kinds().stream()).toList();
  }

  /**
   * Watches the custom kinds. The dependents of a new kind's objects may be older than the kind, so
   * they are looked at again.
   */
  private Outcome follow() {
    List<ResourceKind> added = customKinds.follow();
    for (ResourceKind kind : added.isEmpty() ? List.<ResourceKind>of() : knownKinds()) {
      for (ApiObject object : cluster.list(kind)) {
        if (OwnerGraph.namesAny(object, added)) {
          graph.changed(object.key(kind));
          wake.accept(object.key(kind));
        }
      }
    }
    return Outcome.DONE;
  }

  private List<ObjectKey> changed(ResourceKind kind, ObjectEvent event) {
    ApiObject object = event.object();
    boolean matters =
        event.type() != ObjectEvent.Type.MODIFIED
            || event.before().filter(before -> sameTies(before, object)).isEmpty();
    if (!matters) {
      return List.of();
    }
    ObjectKey key = object.key(kind);
    graph.changed(key);
    var concerned = new TreeSet<ObjectKey>();
    concerned.add(key);
    // Its owners may wait for its deletion, or for the removal of its owner reference.
    event
        .before()
        .filter(before -> !stays(event, before))
        .ifPresent(before -> concerned.addAll(owners(before, key)));
    return List.copyOf(concerned);
  }

  private static boolean stays(ObjectEvent event, ApiObject before) {
    return event.type() == ObjectEvent.Type.MODIFIED
        && before.owners().equals(event.object().owners());
  }

  private List<ObjectKey> owners(ApiObject object, ObjectKey key) {
    return object.owners().stream()
        .flatMap(reference -> graph.owner(reference, key).stream())
        .toList();
  }

  private static boolean sameTies(ApiObject before, ApiObject now) {
    return before.isDeleting() == now.isDeleting()
        && before.hasFinalizer(Ownership.ORPHAN) == now.hasFinalizer(Ownership.ORPHAN)
        && before.hasFinalizer(Ownership.FOREGROUND) == now.hasFinalizer(Ownership.FOREGROUND)
        && before.metadata().at("ownerReferences").equals(now.metadata().at("ownerReferences"));
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    if (key.equals(CustomKinds.DEFINITIONS)) {
      return follow();
    }
    lookAtOwned(key);
    Optional<ApiObject> before = cluster.get(key);
    collect(List.of(key));
    Optional<ApiObject> after = cluster.get(key);
    if (!after.equals(before) || !key.kind().namespaced()) {
      before.ifPresent(object -> foreignOwners.warn(key, object));
    }
    after.ifPresent(object -> release(key, object));
    return Outcome.DONE;
  }

  /**
   * Collects the dependents of an object. There may be many, so it is done once for each state of
   * the owner; a dependent that changes in between is checked by itself.
   */
  private void lookAtOwned(ObjectKey key) {
    String stance = stance(key);
    // Dependents come before the object itself: whether an owner may go depends on them.
    if (!stance.equals(looked.get(key))) {
      collect(graph.dependents(key));
    }
    if (graph.anyDependent(key, _ -> true)) {
      looked.put(key, stance);
    } else {
      looked.remove(key);
    }
  }

  private String stance(ObjectKey key) {
    return cluster
        .get(key)
        .map(object -> object.uid() + (new Ownership(object).isWaiting() ? " waits" : " stays"))
        .orElse("gone");
  }

  /** Deletes or changes objects in parallel, after it was decided for all what to do. */
  private void collect(List<ObjectKey> keys) {
    List<Runnable> due = keys.stream().flatMap(key -> due(key).stream()).toList();
    if (!due.isEmpty()) {
      cluster.together(due);
    }
  }

  /**
   * The write that an object needs: its deletion if no owner is left, or the removal of references
   * to owners that are gone.
   */
  private Optional<Runnable> due(ObjectKey key) {
    Optional<ApiObject> found = cluster.get(key);
    if (found.isEmpty() || found.get().owners().isEmpty()) {
      return Optional.empty();
    }
    ApiObject object = found.get();
    var gone = new TreeSet<String>();
    boolean solid = false;
    boolean waiting = false;
    for (OwnerReference reference : object.owners()) {
      OwnerState standing = standing(reference, key);
      solid |= standing == OwnerState.SOLID;
      waiting |= standing == OwnerState.WAITING;
      if (standing != OwnerState.SOLID) {
        gone.add(reference.uid());
      }
    }
    if (solid) {
      return gone.isEmpty()
          ? Optional.empty()
          : Optional.of(() ->
              cluster.update(key.kind(), new Ownership(object).withoutOwners(gone::contains)));
    }
    if (waiting && ownsAny(key, object, Ownership::isWaiting)) {
      unblock(key, object);
    }
    return object.isDeleting() ? Optional.empty() : Optional.of(deletion(key, object, waiting));
  }

  /** Unblocks owners that wait for the object while it waits for them: they own each other. */
  private void unblock(ObjectKey key, ApiObject object) {
    ApiObject free = new Ownership(object).withoutBlocks();
    if (!free.equals(object)) {
      cluster.update(key.kind(), free);
      for (ObjectKey owner : owners(object, key)) {
        cluster.get(owner).ifPresent(found -> release(owner, found));
      }
    }
  }

  private OwnerState standing(OwnerReference reference, ObjectKey dependent) {
    Optional<ObjectKey> key = graph.owner(reference, dependent);
    if (key.isEmpty()) {
      return OwnerState.SOLID;
    }
    Optional<ApiObject> owner =
        cluster.get(key.get()).filter(found -> found.uid().equals(reference.uid()));
    if (owner.isEmpty()) {
      return OwnerState.ABSENT;
    }
    return new Ownership(owner.get()).isWaiting() ? OwnerState.WAITING : OwnerState.SOLID;
  }

  private Runnable deletion(ObjectKey key, ApiObject object, boolean ownerWaits) {
    Deletion.Propagation propagation = Deletion.Propagation.BACKGROUND;
    if (object.hasFinalizer(Ownership.ORPHAN)) {
      propagation = Deletion.Propagation.ORPHAN;
    } else if (object.hasFinalizer(Ownership.FOREGROUND)
        || (ownerWaits && graph.anyDependent(key, _ -> true))) {
      propagation = Deletion.Propagation.FOREGROUND;
    }
    var deletion = new Deletion(propagation, OptionalLong.empty());
    return () -> delete(key, object, deletion);
  }

  private void delete(ObjectKey key, ApiObject object, Deletion deletion) {
    try {
      cluster.delete(key.kind(), object, deletion);
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.NOT_FOUND)) {
        throw refused;
      }
    }
  }

  /** Removes the finalizers that only held an object for the sake of its dependents. */
  private void release(ObjectKey key, ApiObject object) {
    var ownership = new Ownership(object);
    if (ownership.isOrphaning()) {
      setFree(key, object);
      cluster.update(key.kind(), object.withoutFinalizer(Ownership.ORPHAN));
    } else if (ownership.isWaiting()
        && !ownsAny(key, object, dependent -> dependent.blocks(object.uid()))) {
      cluster.update(key.kind(), object.withoutFinalizer(Ownership.FOREGROUND));
    }
  }

  private void setFree(ObjectKey owner, ApiObject object) {
    cluster.together(
        graph.dependents(owner).stream()
            .<Runnable>map(key ->
                () ->
                    cluster
                        .get(key)
                        .filter(dependent -> dependent.isOwnedBy(object))
                        .map(dependent ->
                            new Ownership(dependent).withoutOwners(object.uid()::equals))
                        .ifPresent(free -> cluster.update(key.kind(), free)))
            .toList());
  }

  private boolean ownsAny(ObjectKey key, ApiObject owner, Predicate<Ownership> such) {
    return graph.anyDependent(
        key,
        dependent ->
            cluster
                .get(dependent)
                .filter(object -> object.isOwnedBy(owner))
                .filter(object -> such.test(new Ownership(object)))
                .isPresent());
  }
}
