package dev.sluice.apiserver.registry.admission;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.ResourceQuota;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.Snapshot;
import dev.sluice.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The plugin ResourceQuota.
 *
 * <p>Promise: objects that are stored and objects that are about to be stored together never exceed
 * a quota, however many are created concurrently. The status of a quota is only informative.
 *
 * <p>Method: every creation joins a queue. The thread that gets the lock decides for all creations
 * in the queue, against one snapshot of the store and the creations that were allowed before and
 * are not in that snapshot yet. So a thousand concurrent creations cost a few counts. Namespaces
 * without a quota cost nothing.
 *
 * <p>Threads: safe.
 */
public final class ResourceQuotaAdmission {
  private final Store store;
  private final TimeSource time;
  private final Supplier<List<ResourceKind>> kinds;
  private final Queue<Passage> queue = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** The creations that were allowed and may not be stored yet, by uid; guarded by the lock. */
  private final TreeMap<String, Passage> allowed = new TreeMap<>();

  /**
   * @param kinds all kinds that are served
   */
  public ResourceQuotaAdmission(Store store, TimeSource time, Supplier<List<ResourceKind>> kinds) {
    this.store = store;
    this.time = time;
    this.kinds = kinds;
  }

  /** The creation of one object. It is over, stored or not, when this is closed. */
  public final class Passage implements AutoCloseable {
    private final ObjectKey key;
    private final ApiObject object;
    private boolean decided;
    private Optional<ApiException> refusal = Optional.empty();

    private Passage(ObjectKey key, ApiObject object) {
      this.key = key;
      this.object = object;
    }

    private boolean isIn(Snapshot now) {
      return now.get(key).filter(stored -> stored.uid().equals(object.uid())).isPresent();
    }

    @Override
    public void close() {
      lock.lock();
      try {
        allowed.remove(object.uid());
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Checks the creation of a valid object, which has its name and uid.
   *
   * @return the creation, to be closed once the object is stored or its creation failed
   * @throws ApiException if a quota forbids it
   */
  public Optional<Passage> pass(ObjectKey key, ApiObject object) {
    if (quotas(store.snapshot(), key.namespace()).isEmpty()) {
      return Optional.empty();
    }
    var passage = new Passage(key, object);
    queue.add(passage);
    lock.lock();
    try {
      if (!passage.decided) {
        decideAll();
      }
    } finally {
      lock.unlock();
    }
    if (passage.refusal.isPresent()) {
      throw passage.refusal.get();
    }
    return Optional.of(passage);
  }

  private static List<ResourceQuota> quotas(Snapshot now, String namespace) {
    return namespace.isEmpty()
        ? List.of()
        : now.list(Kinds.RESOURCE_QUOTA, namespace).stream().map(ResourceQuota::new).toList();
  }

  private void decideAll() {
    var round = new Round(store.snapshot(), time.now());
    for (Passage next = queue.poll(); next != null; next = queue.poll()) {
      next.refusal = round.refusal(next);
      next.decided = true;
      if (next.refusal.isEmpty()) {
        allowed.put(next.object.uid(), next);
      }
    }
  }

  /** The decisions against one snapshot. */
  private final class Round {
    private final Snapshot now;
    private final Instant at;
    private final TreeMap<ObjectKey, Quantities> used = new TreeMap<>();

    Round(Snapshot now, Instant at) {
      this.now = now;
      this.at = at;
    }

    /** The error for a creation that a quota forbids; otherwise its usage counts from now on. */
    Optional<ApiException> refusal(Passage passage) {
      ResourceKind kind = passage.key.kind();
      List<ResourceQuota> concerned =
          quotas(now, passage.key.namespace()).stream()
              .filter(quota -> quota.concerns(kind))
              .toList();
      for (ResourceQuota quota : concerned) {
        String problem = problem(quota, passage);
        if (!problem.isEmpty()) {
          return Optional.of(ApiFailure.forbidden(passage.key, problem));
        }
      }
      concerned.forEach(quota -> {
        Quantities more = quota.usage(kind, passage.object, at);
        used.computeIfPresent(quota.key(), (_, before) -> before.plus(more));
      });
      return Optional.empty();
    }

    private String problem(ResourceQuota quota, Passage passage) {
      ResourceKind kind = passage.key.kind();
      String unsaid = kind.equals(Kinds.POD) ? quota.unsaid(new Pod(passage.object)) : "";
      if (!unsaid.isEmpty()) {
        return "failed quota: %s: %s".formatted(quota.name(), unsaid);
      }
      Quantities asked = quota.usage(kind, passage.object, at);
      if (asked.isEmpty()) {
        return "";
      }
      Quantities taken = used.computeIfAbsent(quota.key(), _ -> count(quota));
      Quantities hard = quota.hard();
      List<String> exceeded =
          asked.byResource().keySet().stream()
              .filter(resource ->
                  taken.get(resource).plus(asked.get(resource)).compareTo(hard.get(resource)) > 0)
              .toList();
      return exceeded.isEmpty()
          ? ""
          : "exceeded quota: %s, requested: %s, used: %s, limited: %s"
              .formatted(
                  quota.name(), text(asked, exceeded), text(taken, exceeded), text(hard, exceeded));
    }

    private String text(Quantities quantities, List<String> resources) {
      return resources.stream()
          .map(resource -> resource + "=" + quantities.get(resource))
          .collect(Collectors.joining(","));
    }

    /** The usage of a quota by objects that are stored or about to be. */
    private Quantities count(ResourceQuota quota) {
      String namespace = quota.object().namespace();
      var sum = new TreeMap<String, Quantity>();
      for (ResourceKind kind : kinds.get()) {
        if (quota.concerns(kind)) {
          now.list(kind, namespace).forEach(object -> add(quota, kind, object, sum));
        }
      }
      for (Passage passage : allowed.values()) {
        if (passage.key.namespace().equals(namespace) && !passage.isIn(now)) {
          add(quota, passage.key.kind(), passage.object, sum);
        }
      }
      return new Quantities(sum);
    }

    private void add(
        ResourceQuota quota, ResourceKind kind, ApiObject object, Map<String, Quantity> sum) {
      quota
          .usage(kind, object, at)
          .forEach((resource, quantity) -> sum.merge(resource, quantity, Quantity::plus));
    }
  }
}
