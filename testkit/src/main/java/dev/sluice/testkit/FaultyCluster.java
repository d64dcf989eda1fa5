package dev.sluice.testkit;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * A cluster behind a bad connection: watches lose events, repeat them, or deliver them late, until
 * they list everything again some time later, as a reflector does; writes are refused with
 * conflicts or do not get through; and its user may die right after a write.
 *
 * <p>Reads are always current, so they may be ahead of what watches deliver, never behind.
 */
public final class FaultyCluster implements Cluster {
  private static final int MAX_SILENCE_MILLIS = 20_000;

  private final Cluster world;
  private final RandomGenerator faults;
  private final List<Watch> watches = new ArrayList<>();
  private int percent;
  private long writesLeft = Long.MAX_VALUE;

  /**
   * @param percent of the events and writes that go wrong
   */
  public FaultyCluster(Cluster world, RandomGenerator faults, int percent) {
    this.world = world;
    this.faults = faults;
    this.percent = percent;
  }

  /** From now on everything goes well, and all watches learn what they missed. */
  public void heal() {
    percent = 0;
    writesLeft = Long.MAX_VALUE;
    List.copyOf(watches).forEach(Watch::listAnew);
  }

  public void setPercent(int percent) {
    this.percent = percent;
  }

  /** Its user dies right after so many more writes. */
  public void stopAfterWrites(long count) {
    writesLeft = count;
  }

  /** Whether some watch of a kind misses events at present. */
  public boolean isSilent(ResourceKind kind) {
    return watches.stream().anyMatch(watch -> watch.kind.equals(kind) && watch.silence.isPresent());
  }

  private boolean isFaulty() {
    return percent > 0 && faults.nextInt(100) < percent;
  }

  private void mayBeRefused(ObjectKey key) {
    if (isFaulty()) {
      throw faults.nextBoolean()
          ? ApiFailure.conflict(key)
          : ApiFailure.because(ApiFailure.Reason.SERVICE_UNAVAILABLE, "the connection is lost");
    }
  }

  private void written() {
    if (--writesLeft <= 0) {
      throw new Stopped();
    }
  }

  @Override
  public TimeSource time() {
    return world.time();
  }

  @Override
  public RandomGenerator random() {
    return world.random();
  }

  @Override
  public Optional<ResourceKind> kind(String apiVersion, String kind) {
    return world.kind(apiVersion, kind);
  }

  @Override
  public Optional<ApiObject> get(ObjectKey key) {
    return world.get(key);
  }

  @Override
  public List<ApiObject> list(ResourceKind kind) {
    return world.list(kind);
  }

  @Override
  public List<ApiObject> list(ResourceKind kind, String namespace) {
    return world.list(kind, namespace);
  }

  @Override
  public Subscription watch(ResourceKind kind, Consumer<ObjectEvent> listener) {
    var watch = new Watch(kind, listener);
    watches.add(watch);
    watch.source = world.watch(kind, watch::receive);
    watch.listed = true;
    return watch;
  }

  @Override
  public ApiObject create(ResourceKind kind, ApiObject object) {
    ApiObject created = world.create(kind, object);
    written();
    return created;
  }

  @Override
  public ApiObject update(ResourceKind kind, ApiObject object) {
    mayBeRefused(object.key(kind));
    ApiObject updated = world.update(kind, object);
    written();
    return updated;
  }

  @Override
  public ApiObject patchStatus(ResourceKind kind, ApiObject seen, Tree status) {
    mayBeRefused(seen.key(kind));
    ApiObject patched = world.patchStatus(kind, seen, status);
    written();
    return patched;
  }

  @Override
  public void delete(ResourceKind kind, ApiObject seen, Deletion deletion) {
    world.delete(kind, seen, deletion);
    written();
  }

  @Override
  public void post(ObjectKey key, String subresource, ApiObject body) {
    world.post(key, subresource, body);
    written();
  }

  @Override
  public ApiObject put(ObjectKey key, String subresource, ApiObject body) {
    mayBeRefused(key);
    ApiObject put = world.put(key, subresource, body);
    written();
    return put;
  }

  @Override
  public ApiObject apply(ResourceKind kind, String subresource, ApiObject configuration) {
    ApiObject applied = world.apply(kind, subresource, configuration);
    written();
    return applied;
  }

  /** One watch, which knows what it has delivered. */
  private final class Watch implements Subscription {
    private final ResourceKind kind;
    private final Consumer<ObjectEvent> listener;
    private final TreeMap<ObjectKey, ApiObject> told = new TreeMap<>();
    private Subscription source = () -> {};
    private boolean listed; // the first list is never lost: a watch begins when it has it
    private Optional<Subscription> silence = Optional.empty();

    Watch(ResourceKind kind, Consumer<ObjectEvent> listener) {
      this.kind = kind;
      this.listener = listener;
    }

    private void receive(ObjectEvent event) {
      if (silence.isPresent()) {
        return; // learnt when everything is listed
      }
      if (listed && isFaulty()) {
        Duration until = Duration.ofMillis(faults.nextInt(MAX_SILENCE_MILLIS));
        silence = Optional.of(world.time().after(until, this::listAnew));
        return;
      }
      tell(event.object(), event.type() == ObjectEvent.Type.DELETED);
      if (isFaulty() && event.type() != ObjectEvent.Type.DELETED) {
        listener.accept(ObjectEvent.modified(event.object(), event.object()));
      }
    }

    private void tell(ApiObject object, boolean deleted) {
      ObjectKey key = object.key(kind);
      ApiObject before = deleted ? told.remove(key) : told.put(key, object);
      if (deleted) {
        if (before != null) {
          listener.accept(ObjectEvent.deleted(object));
        }
      } else if (before == null) {
        listener.accept(ObjectEvent.added(object));
      } else {
        listener.accept(ObjectEvent.modified(before, object));
      }
    }

    private void listAnew() {
      silence.ifPresent(Subscription::close);
      silence = Optional.empty();
      List<ApiObject> all = world.list(kind);
      var gone = new TreeMap<>(told);
      all.forEach(object -> gone.remove(object.key(kind)));
      gone.values().forEach(object -> tell(object, true));
      all.forEach(object -> tell(object, false));
    }

    @Override
    public void close() {
      source.close();
      silence.ifPresent(Subscription::close);
      watches.remove(this);
    }
  }
}
