package dev.sluice.kubernetes;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.BoundedParallel;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The port to a world on a real Kubernetes API server.
 *
 * <p>The first read of a kind starts to watch it and waits for its first list; every later read is
 * answered from memory. A kind that is only written, such as Event, is never watched. While the
 * server is away, reads show what was known, writes are refused with {@code ServiceUnavailable},
 * and the watches come back by themselves.
 *
 * <p>Threads: safe.
 */
public final class KubernetesCluster implements Cluster, AutoCloseable {
  /** Enough to hide the way to the server and back, and far below what a server takes at once. */
  private static final int MAX_TOGETHER = 64;

  private static final String APPLY_OPTIONS = "?fieldManager=sluice&force=true";

  private final TimeSource time;
  private final RandomGenerator random;
  private final KubernetesClient client;
  private final ApiCalls calls;

  /** For what must not wait behind the controllers: watches, and the manager's own lease. */
  private final ApiCalls unlimited;

  private final KindWatches watches;
  private final ReadYourWrites writes;
  private final BoundedParallel sideBySide;

  /**
   * Asks nothing yet.
   *
   * @throws IllegalArgumentException if the certificates or keys of the connection are none
   */
  public KubernetesCluster(Connection connection, TimeSource time, RandomGenerator random) {
    this.time = time;
    this.random = random;
    this.client = connection.client();
    this.calls =
        new ApiCalls(
            client,
            connection
                .rate()
                .<ApiCalls.Turn>map(rate -> () -> rate.await(time))
                .orElse(ApiCalls.Turn.AT_ONCE));
    this.unlimited = new ApiCalls(client, ApiCalls.Turn.AT_ONCE);
    var underWay = new InFlightWrites();
    this.watches = new KindWatches(client, unlimited, underWay);
    this.writes = new ReadYourWrites(calls, watches, underWay);
    this.sideBySide = new BoundedParallel(MAX_TOGETHER);
  }

  /** The same with other writes; nothing of it is closed but by the first. */
  private KubernetesCluster(KubernetesCluster same, ApiCalls calls, ReadYourWrites writes) {
    this.time = same.time;
    this.random = same.random;
    this.client = same.client;
    this.calls = calls;
    this.unlimited = same.unlimited;
    this.watches = same.watches;
    this.sideBySide = same.sideBySide;
    this.writes = writes;
  }

  @Override
  public Cluster as(String user) {
    ApiCalls others = calls.as(user);
    return new KubernetesCluster(this, others, writes.by(others));
  }

  @Override
  public TimeSource time() {
    return time;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public Optional<ResourceKind> kind(String apiVersion, String kind) {
    return calls.kind(apiVersion, kind);
  }

  @Override
  public Optional<ApiObject> get(ObjectKey key) {
    return watches.of(key.kind()).cache().get(key);
  }

  @Override
  public List<ApiObject> list(ResourceKind kind) {
    return watches.of(kind).cache().list();
  }

  @Override
  public List<ApiObject> list(ResourceKind kind, String namespace) {
    return watches.of(kind).cache().list(namespace);
  }

  @Override
  public Subscription watch(ResourceKind kind, Consumer<ObjectEvent> listener) {
    return watches.of(kind).tell(listener);
  }

  @Override
  public ApiObject create(ResourceKind kind, ApiObject object) {
    String path = ApiCalls.collection(object.key(kind));
    return writes.send("POST", kind, path, ApiCalls.JSON, object.tree());
  }

  @Override
  public ApiObject update(ResourceKind kind, ApiObject object) {
    requireSeen(kind, object);
    String path = ApiCalls.object(object.key(kind));
    return writes.send("PUT", kind, path, ApiCalls.JSON, object.tree());
  }

  @Override
  public ApiObject patchStatus(ResourceKind kind, ApiObject seen, Tree status) {
    requireSeen(kind, seen);
    Tree difference = MergePatch.diff(seen.status(), status);
    if (difference.isEmpty()) {
      return seen;
    }
    Tree seenAt = Tree.of("resourceVersion", seen.resourceVersion(), "uid", seen.uid());
    Tree patch = Tree.of("metadata", seenAt, "status", difference);
    String path = ApiCalls.subresource(seen.key(kind), "status");
    return writes.send("PATCH", kind, path, ApiCalls.MERGE_PATCH, patch);
  }

  @Override
  public void delete(ResourceKind kind, ApiObject seen, Deletion deletion) {
    Tree options =
        Tree.of(
            "apiVersion",
            "v1",
            "kind",
            "DeleteOptions",
            "preconditions",
            Tree.of("uid", seen.uid()),
            "propagationPolicy",
            deletion.propagation().word());
    if (deletion.graceSeconds().isPresent()) {
      options = options.with("gracePeriodSeconds", deletion.graceSeconds().getAsLong());
    }
    writes.delete(seen.key(kind), seen.uid(), options);
  }

  @Override
  public void post(ObjectKey key, String subresource, ApiObject body) {
    writes.sendBelow("POST", key, subresource, body.tree());
  }

  @Override
  public ApiObject put(ObjectKey key, String subresource, ApiObject body) {
    requireSeen(key.kind(), body);
    return writes.sendBelow("PUT", key, subresource, body.tree());
  }

  @Override
  public ApiObject apply(ResourceKind kind, String subresource, ApiObject configuration) {
    ObjectKey key = configuration.key(kind);
    String path =
        subresource.isEmpty() ? ApiCalls.object(key) : ApiCalls.subresource(key, subresource);
    return writes.send(
        "PATCH", kind, path + APPLY_OPTIONS, ApiCalls.APPLY_PATCH, configuration.tree());
  }

  @Override
  public void together(List<Runnable> writes) {
    sideBySide.run(writes);
  }

  /** Single objects of this cluster, read and written without watching their kind. */
  public UncachedObjects uncached() {
    return new UncachedObjects(unlimited);
  }

  /** Without a revision the server would write over whatever is there. */
  private static void requireSeen(ResourceKind kind, ApiObject object) {
    if (object.resourceVersion().isEmpty()) {
      throw ApiFailure.invalid(
          kind,
          object.name(),
          List.of(
              ApiFailure.Cause.required(
                  "metadata.resourceVersion", "must be specified for an update")));
    }
  }

  /** Ends every watch and the connection. Listeners get no more events. */
  @Override
  public void close() {
    watches.close();
    client.close();
  }
}
