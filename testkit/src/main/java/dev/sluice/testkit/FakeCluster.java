package dev.sluice.testkit;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.Timestamps;
import dev.sluice.model.core.Namespace;
import dev.sluice.model.core.pod.Binding;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.VirtualTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * A cluster in memory for tests of controllers: revisions, conflicts, the status subresource,
 * finalizers, grace periods, bindings. It keeps the contract of the port, except that namespaces
 * need not exist, and has no other validation or defaulting.
 *
 * <p>{@link #stopAfterWrites} stops the controller under test after a number of writes.
 *
 * <p>Threads: one at a time, as under a virtual driver.
 */
public final class FakeCluster implements Cluster {
  public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  /** A check of every new object, which may throw. */
  public interface Gate {
    void check(ResourceKind kind, ApiObject object);
  }

  private final VirtualTime time = new VirtualTime(START);
  private final SplittableRandom random;
  private final FakeObjects objects = new FakeObjects();
  private final List<Gate> gates = new ArrayList<>();

  /** What was applied last, by the uid of the object and the subresource. */
  private final Map<String, Tree> applied = new TreeMap<>();

  private List<ResourceKind> undeletable = List.of();
  private final List<ResourceKind> served =
      new ArrayList<>(
          List.of(Kinds.NODE, Kinds.POD, Kinds.JOB, Kinds.CONFIG_MAP, Kinds.LEASE, Kinds.STAGE));
  private long uids;
  private Predicate<ObjectKey> unreachable = key -> false;

  public FakeCluster(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Throws {@link Stopped} after this number of writes, until {@link #neverStop}. */
  public void stopAfterWrites(long count) {
    objects.stopAfter(count);
  }

  public void neverStop() {
    objects.stopAfter(Long.MAX_VALUE);
  }

  public long writes() {
    return objects.writes();
  }

  /** Refuses writes of the status of these objects from now on, as in an outage. */
  public void losesStatusOf(Predicate<ObjectKey> some) {
    unreachable = some;
  }

  /** Adds a check of everything that is created from now on, also of bindings. */
  public void guard(Gate gate) {
    gates.add(gate);
  }

  @Override
  public VirtualTime time() {
    return time;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  /** Serves one more kind, as a definition does. */
  public void serve(ResourceKind kind) {
    served.add(kind);
  }

  @Override
  public Optional<ResourceKind> kind(String apiVersion, String kind) {
    return served.stream()
        .filter(one -> one.apiVersion().equals(apiVersion) && one.kind().equals(kind))
        .findFirst();
  }

  @Override
  public Optional<ApiObject> get(ObjectKey key) {
    return objects.get(key);
  }

  /** The object, which must exist. */
  public ApiObject require(ObjectKey key) {
    return get(key).orElseThrow(() -> new AssertionError(key + " is not there"));
  }

  @Override
  public List<ApiObject> list(ResourceKind kind) {
    return objects.list(kind, "", _ -> true);
  }

  @Override
  public List<ApiObject> list(ResourceKind kind, String namespace) {
    return objects.list(kind, namespace, object -> object.namespace().equals(namespace));
  }

  @Override
  public Subscription watch(ResourceKind kind, Consumer<ObjectEvent> listener) {
    return objects.watch(kind, listener);
  }

  @Override
  public ApiObject create(ResourceKind kind, ApiObject given) {
    ApiObject object = named(given);
    ObjectKey key = object.key(kind);
    gates.forEach(gate -> gate.check(kind, object));
    refuseInTerminatingNamespace(key);
    if (get(key).isPresent()) {
      throw ApiFailure.alreadyExists(key);
    }
    ApiObject kept =
        (kind.equals(Kinds.NODE) ? object : object.without(List.of("status")))
            .withMetadata("uid", "uid-" + ++uids)
            .withMetadata("creationTimestamp", Timestamps.format(time.now()))
            .withMetadata("generation", 1);
    if (kind.equals(Kinds.POD)) {
      kept = kept.withStatus(Tree.of("phase", "Pending"));
    }
    if (kind.equals(Kinds.NAMESPACE)) {
      kept = new Namespace(kept).withSpecFinalizers(List.of(Namespace.CONTENTS)).object();
    }
    return objects.put(key, kept);
  }

  private ApiObject named(ApiObject object) {
    String prefix = object.metadata().text("generateName");
    return object.name().isEmpty() ? object.withMetadata("name", prefix + (uids + 1)) : object;
  }

  private void refuseInTerminatingNamespace(ObjectKey key) {
    if (get(Kinds.NAMESPACE.key(key.namespace())).filter(ApiObject::isDeleting).isPresent()) {
      String why = "unable to create new content in a namespace that is being terminated";
      var cause = new ApiFailure.Cause("NamespaceTerminating", "metadata.namespace", why);
      throw new ApiFailure(ApiFailure.Reason.FORBIDDEN, why, "", "", key.name(), List.of(cause), 0)
          .exception();
    }
  }

  @Override
  public ApiObject update(ResourceKind kind, ApiObject object) {
    ObjectKey key = object.key(kind);
    ApiObject now = current(key, object);
    ApiObject next = object.without(List.of("status"));
    next = now.tree().has("status") ? next.withStatus(now.status()) : next;
    if (!next.spec().equals(now.spec())) {
      next = next.withMetadata("generation", now.generation() + 1);
    }
    return next.equals(now) ? now : settle(key, next);
  }

  @Override
  public ApiObject patchStatus(ResourceKind kind, ApiObject seen, Tree status) {
    ObjectKey key = seen.key(kind);
    if (unreachable.test(key)) {
      throw ApiFailure.because(ApiFailure.Reason.SERVICE_UNAVAILABLE, "an outage");
    }
    ApiObject now = current(key, seen);
    ApiObject next = now.withStatus(status);
    return next.equals(now) ? now : objects.put(key, next);
  }

  private ApiObject current(ObjectKey key, ApiObject seen) {
    ApiObject now = get(key).orElseThrow(() -> ApiFailure.notFound(key));
    if (!now.resourceVersion().equals(seen.resourceVersion()) || !now.uid().equals(seen.uid())) {
      throw ApiFailure.conflict(key);
    }
    return now;
  }

  /** Refuses every deletion of these kinds from now on, instead of those before. */
  public void refuseDeletions(ResourceKind... kinds) {
    undeletable = List.of(kinds);
  }

  @Override
  public void delete(ResourceKind kind, ApiObject seen, Deletion deletion) {
    if (undeletable.contains(kind)) {
      throw ApiFailure.forbidden(seen.key(kind), "it cannot be deleted");
    }
    ObjectKey key = seen.key(kind);
    ApiObject now = get(key).orElseThrow(() -> ApiFailure.notFound(key));
    if (!now.uid().equals(seen.uid())) {
      throw ApiFailure.conflict(key, "the uid is not the one that was seen");
    }
    ApiObject marked = FakeDeletion.mark(kind, now, deletion, time.now());
    if (!marked.equals(now)) {
      settle(key, marked);
    }
  }

  @Override
  public void post(ObjectKey key, String subresource, ApiObject body) {
    ApiObject now = get(key).orElseThrow(() -> ApiFailure.notFound(key));
    if (!body.uid().isEmpty() && !body.uid().equals(now.uid())) {
      throw ApiFailure.conflict(key, "the uid is not the one that was seen");
    }
    if (!subresource.equals("binding")) {
      throw new AssertionError("no subresource " + subresource + " of " + key);
    }
    gates.forEach(gate -> gate.check(Kinds.BINDING, body));
    bind(key, new Pod(now), new Binding(body).nodeName());
  }

  @Override
  public ApiObject put(ObjectKey key, String subresource, ApiObject body) {
    if (!subresource.equals("finalize")) {
      throw new AssertionError("no subresource " + subresource + " of " + key);
    }
    ApiObject now = current(key, body);
    return settle(
        key, new Namespace(now).withSpecFinalizers(new Namespace(body).specFinalizers()).object());
  }

  /** Supports one field manager, the test itself, and treats lists as atomic. */
  @Override
  public ApiObject apply(ResourceKind kind, String subresource, ApiObject configuration) {
    Tree wanted = configuration.tree();
    Optional<ApiObject> now = get(configuration.key(kind));
    ApiObject written;
    if (now.isEmpty()) {
      written = create(kind, configuration);
    } else {
      Tree earlier = applied.getOrDefault(now.get().uid() + subresource, Tree.EMPTY);
      Tree without = MergePatch.apply(now.get().tree(), MergePatch.diff(earlier, wanted));
      Tree merged = MergePatch.apply(without, wanted);
      written =
          subresource.isEmpty()
              ? update(kind, new ApiObject(merged))
              : patchStatus(kind, now.get(), merged.tree("status"));
    }
    applied.put(written.uid() + subresource, wanted);
    return written;
  }

  private void bind(ObjectKey key, Pod pod, String node) {
    if (pod.isBound() || pod.isDeleting() || pod.spec().hasSchedulingGates()) {
      throw ApiFailure.conflict(key, "the pod cannot be bound to " + node);
    }
    var scheduled = new Condition("PodScheduled", true, "", "");
    PodStatus status = pod.status().withCondition(scheduled, time.now()).withNominatedNodeName("");
    objects.put(key, pod.withNodeName(node).withStatus(status).object());
  }

  /** Stores the object, or removes it if it is being deleted and has no finalizers. */
  private ApiObject settle(ObjectKey key, ApiObject object) {
    boolean held = FakeDeletion.isHeld(key.kind(), object);
    return !object.isDeleting() || held ? objects.put(key, object) : objects.remove(key, object);
  }
}
