package dev.sluice.controllers.queueing.visibility;

import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.controllers.queueing.visibility.PendingWorkloads.Entry;
import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.admission.Explanation;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.ComputedApi;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Kueue's visibility API: the pending workloads of queues, computed from the current state of the
 * engine.
 *
 * <p>Beyond Kueue's parameters {@code limit} and {@code offset}, {@code workload} selects one
 * workload by its name, and {@code explain=true} adds to every item why it is pending.
 *
 * <p>Threads: safe.
 */
public final class VisibilityApi implements ComputedApi {
  public static final String GROUP = "visibility.kueue.x-k8s.io";
  public static final String PENDING_WORKLOADS = "pendingworkloads";

  /** The preferred version. */
  public static final String VERSION = "v1beta2";

  /** All versions, the preferred one first. */
  public static final List<String> VERSIONS = List.of(VERSION, "v1beta1");

  private final Cluster cluster;
  private final QueueCache cache;

  public VisibilityApi(Cluster cluster, QueueCache cache) {
    this.cluster = cluster;
    this.cache = cache;
  }

  @Override
  public String group() {
    return GROUP;
  }

  @Override
  public List<Part> parts() {
    return VERSIONS.stream()
        .flatMap(version ->
            Stream.of(part(Kinds.CLUSTER_QUEUE, version), part(Kinds.LOCAL_QUEUE, version)))
        .toList();
  }

  private static Part part(ResourceKind queue, String version) {
    return new Part(
        new ResourceKind(GROUP, version, queue.kind(), queue.plural(), queue.namespaced()),
        PENDING_WORKLOADS,
        new ResourceKind(
            GROUP, version, "PendingWorkloadsSummary", PENDING_WORKLOADS, queue.namespaced()));
  }

  @Override
  public Tree read(Request request) {
    return request.part().of().namespaced() ? ofLocalQueue(request) : ofClusterQueue(request);
  }

  private Tree ofClusterQueue(Request request) {
    List<PendingItem> pending =
        cache.read(queues -> {
          if (queues.ledger().queue(request.name()).isEmpty()) {
            throw missing(request);
          }
          return pendingItems(queues, request.name(), _ -> true, request);
        });
    return response(request, pending, _ -> true);
  }

  private Tree ofLocalQueue(Request request) {
    String path = request.namespace() + "/" + request.name();
    String clusterQueue =
        cluster
            .get(Kinds.LOCAL_QUEUE.key(request.namespace(), request.name()))
            .map(found -> new LocalQueue(found).clusterQueue())
            .orElseThrow(() -> missing(request));
    List<PendingItem> pending =
        cache.read(queues ->
            pendingItems(
                queues, clusterQueue, workload -> workload.localQueuePath().equals(path), request));
    return response(request, pending, request.namespace()::equals);
  }

  /** The part of an item that is read while no cycle runs; the rest is added afterwards. */
  private record PendingItem(Entry entry, Optional<Explanation> explanation) {}

  private static List<PendingItem> pendingItems(
      AdmissionQueues queues,
      String clusterQueue,
      Predicate<PendingWorkload> inQueue,
      Request request) {
    Page page = Page.of(request);
    String name = request.parameter("workload");
    Predicate<PendingWorkload> shown =
        name.isEmpty() ? inQueue : inQueue.and(workload -> workload.name().equals(name));
    return PendingWorkloads.page(queues.pendingIn(clusterQueue), shown, page).stream()
        .map(entry ->
            new PendingItem(entry, page.explained() ? explain(queues, entry) : Optional.empty()))
        .toList();
  }

  private static Optional<Explanation> explain(AdmissionQueues queues, Entry entry) {
    return queues.explain(entry.workload().path());
  }

  private Tree response(Request request, List<PendingItem> pending, Predicate<String> mayName) {
    return Tree.of(
        "apiVersion",
        request.part().body().apiVersion(),
        "kind",
        request.part().body().kind(),
        "metadata",
        Tree.EMPTY,
        "items",
        Items.of(pending.stream().map(found -> item(found, mayName)).toList()));
  }

  private Tree item(PendingItem pending, Predicate<String> mayName) {
    Tree item = pending.entry().tree(metadata(pending.entry()));
    return pending
        .explanation()
        .map(found -> item.with("explanation", ExplanationTree.of(found, mayName)))
        .orElse(item);
  }

  private Tree metadata(Entry entry) {
    PendingWorkload workload = entry.workload();
    Tree metadata = Tree.of("name", workload.name(), "namespace", workload.namespace());
    Tree known =
        cluster
            .get(Kinds.WORKLOAD.key(workload.namespace(), workload.name()))
            .map(ApiObject::metadata)
            .orElse(Tree.EMPTY);
    for (String field : List.of("creationTimestamp", "ownerReferences")) {
      metadata = known.has(field) ? metadata.with(field, known.at(field)) : metadata;
    }
    return metadata;
  }

  private static ApiException missing(Request request) {
    return ApiFailure.notFound(request.part().of().key(request.namespace(), request.name()));
  }
}
