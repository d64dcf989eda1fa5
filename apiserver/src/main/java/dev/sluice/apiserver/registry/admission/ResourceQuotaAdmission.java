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
 * Holds new objects to the quotas of their namespace.
 *
 * <p>Promise: what is stored and what is on its way into the store never exceed a quota together,
 * however many create at once. Whatever a quota's status says is for people to read.
 *
 * <p>Method: whoever wants to create joins a line. Whoever gets the lock decides for all in line,
 * against one snapshot of the store and what was let through before and is not in that snapshot
 * yet. So a thousand creations at once cost a few counts. Namespaces without a quota cost nothing.
 *
 * <p>Threads: safe.
 */
public final class ResourceQuotaAdmission {
  private final Store store;
  private final TimeSource time;
  private final Supplier<List<ResourceKind>> kinds;
  private final Queue<Passage> line = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** Who was let through and may not be stored yet, by uid; belongs to who has the lock. */
  private final TreeMap<String, Passage> onTheirWay = new TreeMap<>();

  /**
   * @param kinds all kinds that are served
   */
  public ResourceQuotaAdmission(Store store, TimeSource time, Supplier<List<ResourceKind>> kinds) {
    this.store = store;
    this.time = time;
    this.kinds = kinds;
  }

  /** The way of one object into the store. It ends, either way, when this is closed. */
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
        onTheirWay.remove(object.uid());
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Lets an object through that is valid and has its name and uid.
   *
   * @return what must be closed once the object is stored, or is not going to be
   * @throws ApiException if a quota forbids it
   */
  public Optional<Passage> pass(ObjectKey key, ApiObject object) {
    if (quotas(store.snapshot(), key.namespace()).isEmpty()) {
      return Optional.empty();
    }
    var passage = new Passage(key, object);
    line.add(passage);
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
    for (Passage next = line.poll(); next != null; next = line.poll()) {
      next.refusal = round.refusal(next);
      next.decided = true;
      if (next.refusal.isEmpty()) {
        onTheirWay.put(next.object.uid(), next);
      }
    }
  }

  /** The decisions against one snapshot. */
  private final class Round {
    private final Snapshot now;
    private final Instant moment;
    private final TreeMap<ObjectKey, Quantities> used = new TreeMap<>();

    Round(Snapshot now, Instant moment) {
      this.now = now;
      this.moment = moment;
    }

    /** Why an object may not pass; if it may, what it uses is used from now on. */
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
        Quantities more = quota.usage(kind, passage.object, moment);
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
      Quantities asked = quota.usage(kind, passage.object, moment);
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

    /** What is used of a quota by what is stored or on its way. */
    private Quantities count(ResourceQuota quota) {
      String namespace = quota.object().namespace();
      var sum = new TreeMap<String, Quantity>();
      for (ResourceKind kind : kinds.get()) {
        if (quota.concerns(kind)) {
          now.list(kind, namespace).forEach(object -> add(quota, kind, object, sum));
        }
      }
      for (Passage passage : onTheirWay.values()) {
        if (passage.key.namespace().equals(namespace) && !passage.isIn(now)) {
          add(quota, passage.key.kind(), passage.object, sum);
        }
      }
      return new Quantities(sum);
    }

    private void add(
        ResourceQuota quota, ResourceKind kind, ApiObject object, Map<String, Quantity> sum) {
      quota
          .usage(kind, object, moment)
          .forEach((resource, quantity) -> sum.merge(resource, quantity, Quantity::plus));
    }
  }
}
