package dev.sluice.simulator.run;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * The cluster as one client sees it: over a connection that may fail or be slow, and with a limit
 * of its writes. A write beyond the limit waits for its turn, while all others go on. Events have
 * no limit: client-go writes them through a client of its own.
 *
 * <p>Reads are always current, so they may be ahead of what watches deliver, never behind.
 */
final class ClientCluster implements Cluster {
  private final Cluster world;
  private final Client client;

  ClientCluster(Cluster world, Client client) {
    this.world = world;
    this.client = client;
  }

  /**
   * What clients have in common.
   *
   * @param bucket empty without a limit
   * @param waiting lets the others go on until a time
   * @param newPod changes a pod before it is created
   */
  record Client(
      WriteCount writes,
      Network network,
      Optional<TokenBucket> bucket,
      Consumer<Instant> waiting,
      UnaryOperator<ApiObject> newPod) {}

  /** The number of writes of one client. */
  static final class WriteCount {
    private long count;

    long count() {
      return count;
    }
  }

  private void beforeWrite(ResourceKind kind) {
    client.network().requireConnection();
    boolean limited = !kind.equals(Kinds.EVENT) && !kind.equals(Kinds.GROUPED_EVENT);
    if (limited && client.bucket().isPresent()) {
      Instant now = world.time().now();
      Instant turn = now.plus(client.bucket().get().take(now));
      if (turn.isAfter(now)) {
        client.waiting().accept(turn);
        client.network().requireConnection();
      }
    }
    client.writes().count++;
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
    var delayed = new DelayedWatch(listener);
    Subscription source = world.watch(kind, delayed::receive);
    delayed.listed = true;
    return () -> {
      source.close();
      delayed.close();
    };
  }

  @Override
  public ApiObject create(ResourceKind kind, ApiObject object) {
    beforeWrite(kind);
    return world.create(kind, kind.equals(Kinds.POD) ? client.newPod().apply(object) : object);
  }

  @Override
  public ApiObject update(ResourceKind kind, ApiObject object) {
    beforeWrite(kind);
    return world.update(kind, object);
  }

  @Override
  public ApiObject patchStatus(ResourceKind kind, ApiObject seen, Tree status) {
    beforeWrite(kind);
    return world.patchStatus(kind, seen, status);
  }

  @Override
  public void delete(ResourceKind kind, ApiObject seen, Deletion deletion) {
    beforeWrite(kind);
    world.delete(kind, seen, deletion);
  }

  @Override
  public void post(ObjectKey key, String subresource, ApiObject body) {
    beforeWrite(key.kind());
    world.post(key, subresource, body);
  }

  @Override
  public ApiObject put(ObjectKey key, String subresource, ApiObject body) {
    beforeWrite(key.kind());
    return world.put(key, subresource, body);
  }

  @Override
  public ApiObject apply(ResourceKind kind, String subresource, ApiObject configuration) {
    beforeWrite(kind);
    return world.apply(kind, subresource, configuration);
  }

  /** Delivers the events of one watch in order, each as late as the network is slow. */
  private final class DelayedWatch {
    private final Consumer<ObjectEvent> listener;
    private final ArrayDeque<ObjectEvent> late = new ArrayDeque<>();
    private boolean listed; // a watch begins with all that exists, however slow it is
    private boolean closed;
    private Instant last = Instant.MIN;

    DelayedWatch(Consumer<ObjectEvent> listener) {
      this.listener = listener;
    }

    private void receive(ObjectEvent event) {
      Instant now = world.time().now();
      Instant due = now.plus(client.network().lag());
      due = late.isEmpty() || due.isAfter(last) ? due : last;
      if (!listed || (late.isEmpty() && !due.isAfter(now))) {
        listener.accept(event);
        return;
      }
      late.add(event);
      last = due;
      world.time().after(Duration.between(now, due), this::deliver);
    }

    private void deliver() {
      ObjectEvent event = late.removeFirst();
      if (!closed) {
        listener.accept(event);
      }
    }

    private void close() {
      closed = true;
    }
  }
}
