package dev.sluice.kubernetes;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.Event;
import dev.sluice.runtime.SideBySide;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
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
  private static final int MOST_TOGETHER = 64;

  private static final String APPLY_OPTIONS = "?fieldManager=sluice&force=true";

  private final TimeSource time;
  private final RandomGenerator random;
  private final KubernetesClient client;
  private final ApiCalls calls;

  /** For what must not wait behind the controllers: watches, and the manager's own lease. */
  private final ApiCalls unlimited;

  private final WritesUnderWay writes = new WritesUnderWay();
  private final KindWatches watches;
  private final SideBySide sideBySide = new SideBySide(MOST_TOGETHER);

  /**
   * Asks nothing yet.
   *
   * @throws IllegalArgumentException if the certificates or keys of the connection are none
   */
  public KubernetesCluster(Connection connection, TimeSource time, RandomGenerator random) {
    this.time = time;
    this.random = random;
    this.client = client(connection);
    this.calls =
        new ApiCalls(
            client,
            connection
                .rate()
                .<ApiCalls.Turn>map(rate -> () -> rate.await(time))
                .orElse(ApiCalls.Turn.AT_ONCE));
    this.unlimited = new ApiCalls(client, ApiCalls.Turn.AT_ONCE);
    this.watches = new KindWatches(client, unlimited, writes);
  }

  private static KubernetesClient client(Connection connection) {
    try {
      return new KubernetesClientBuilder()
          .withConfig(connection.config())
          .withHttpClientFactory(new JdkHttpClientFactory())
          .withKubernetesSerialization(serialization())
          .build();
    } catch (KubernetesClientException unusable) {
      throw new IllegalArgumentException(
          "the certificates or keys for %s cannot be used: %s"
              .formatted(connection.server(), unusable.getMessage()),
          unusable);
    }
  }

  /** Knows no kinds but Status, so that every object stays what the server said. */
  static KubernetesSerialization serialization() {
    var mapper =
        JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();
    var serialization = new KubernetesSerialization(mapper, false);
    serialization.registerKubernetesResource("v1", "Status", Status.class);
    return serialization;
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
  public Subscription watch(ResourceKind kind, Consumer<Event> listener) {
    return watches.of(kind).tell(listener);
  }

  @Override
  public ApiObject create(ResourceKind kind, ApiObject object) {
    try (var write = writes.begin()) {
      String path = ApiCalls.collection(object.key(kind));
      return remember(write, kind, calls.send("POST", path, ApiCalls.JSON, object.tree()));
    }
  }

  @Override
  public ApiObject update(ResourceKind kind, ApiObject object) {
    requireSeen(kind, object);
    try (var write = writes.begin()) {
      String path = ApiCalls.object(object.key(kind));
      return remember(write, kind, calls.send("PUT", path, ApiCalls.JSON, object.tree()));
    }
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
    try (var write = writes.begin()) {
      String path = ApiCalls.subresource(seen.key(kind), "status");
      return remember(write, kind, calls.send("PATCH", path, ApiCalls.MERGE_PATCH, patch));
    }
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
    ObjectKey key = seen.key(kind);
    try (var write = writes.begin()) {
      Tree answer = calls.send("DELETE", ApiCalls.object(key), ApiCalls.JSON, options);
      ApiObject last = new ApiObject(answer);
      // Some kinds answer with the object even if nothing is left of it but this answer.
      if (last.isA(kind) && last.isDeleting()) {
        remember(write, kind, answer);
      } else {
        forget(write, key, seen.uid());
      }
    }
  }

  @Override
  public void post(ObjectKey key, String subresource, ApiObject body) {
    toSubresource("POST", key, subresource, body);
  }

  @Override
  public ApiObject put(ObjectKey key, String subresource, ApiObject body) {
    requireSeen(key.kind(), body);
    return toSubresource("PUT", key, subresource, body);
  }

  @Override
  public ApiObject apply(ResourceKind kind, String subresource, ApiObject configuration) {
    ObjectKey key = configuration.key(kind);
    String path =
        subresource.isEmpty() ? ApiCalls.object(key) : ApiCalls.subresource(key, subresource);
    try (var write = writes.begin()) {
      Tree answer =
          calls.send("PATCH", path + APPLY_OPTIONS, ApiCalls.APPLY_PATCH, configuration.tree());
      return remember(write, kind, answer);
    }
  }

  @Override
  public void together(List<Runnable> writes) {
    sideBySide.run(writes);
  }

  /** Single objects of this cluster, read and written without watching their kind. */
  public UncachedObjects uncached() {
    return new UncachedObjects(unlimited);
  }

  private ApiObject toSubresource(
      String method, ObjectKey key, String subresource, ApiObject body) {
    try (var write = writes.begin()) {
      String path = ApiCalls.subresource(key, subresource);
      Tree answer = calls.send(method, path, ApiCalls.JSON, body.tree());
      if (new ApiObject(answer).isA(key.kind())) {
        return remember(write, key.kind(), answer);
      }
      // Some answer only that it was done, or with a kind of their own: reads must show what it
      // did to the object.
      if (watches.started(key.kind()).isPresent()) {
        refresh(write, key);
      }
      return TreeConversion.object(answer);
    }
  }

  private void refresh(WritesUnderWay.Write write, ObjectKey key) {
    try {
      remember(write, key.kind(), calls.get(ApiCalls.object(key)));
    } catch (ApiException refused) {
      // The write itself succeeded. If the object is gone, the watch will say so with its uid.
      if (!refused.is(ApiFailure.Reason.NOT_FOUND)) {
        throw refused;
      }
    }
  }

  private ApiObject remember(WritesUnderWay.Write write, ResourceKind kind, Tree answer) {
    ApiObject object = TreeConversion.object(answer);
    if (isGone(object)) {
      forget(write, object.key(kind), object.uid());
    } else {
      watches.started(kind).map(KindWatch::cache).ifPresent(cache -> cache.answered(write, object));
    }
    return object;
  }

  /**
   * Whether an answer is all that is left of an object: the server removes an object together with
   * its last finalizer, unless a pod still has time to end. Namespaces keep theirs in the spec.
   */
  private static boolean isGone(ApiObject object) {
    return object.isDeleting()
        && object.finalizers().isEmpty()
        && object.spec().items("finalizers").isEmpty()
        && object.metadata().whole("deletionGracePeriodSeconds").orElse(0) == 0;
  }

  private void forget(WritesUnderWay.Write write, ObjectKey key, String uid) {
    watches
        .started(key.kind())
        .map(KindWatch::cache)
        .ifPresent(cache -> cache.answeredGone(write, key, uid));
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

  /** Ends every watch and the connection. Listeners are told nothing more. */
  @Override
  public void close() {
    watches.close();
    client.close();
  }
}
