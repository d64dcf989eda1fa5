package dev.sluice.controllers.queueing.visibility;

import dev.sluice.controllers.queueing.admission.QueueBook;
import dev.sluice.controllers.queueing.visibility.PendingWorkloadsSummary.Entry;
import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.ComputedApi;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Kueue's API group that shows who waits, computed from the queues as they are now.
 *
 * <p>Beyond Kueue's parameters {@code limit} and {@code offset}, {@code workload} asks for one
 * workload by its name, and {@code explain=true} adds to every item why it waits.
 *
 * <p>Threads: safe.
 */
public final class VisibilityApi implements ComputedApi {
  public static final String GROUP = "visibility.kueue.x-k8s.io";
  public static final String PENDING_WORKLOADS = "pendingworkloads";

  /** The version that new clients use. */
  public static final String VERSION = "v1beta2";

  private final Cluster cluster;
  private final QueueBook book;

  public VisibilityApi(Cluster cluster, QueueBook book) {
    this.cluster = cluster;
    this.book = book;
  }

  @Override
  public String group() {
    return GROUP;
  }

  @Override
  public List<Part> parts() {
    return Stream.of(VERSION, "v1beta1")
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
  public Tree read(Question question) {
    return question.part().of().namespaced() ? ofLocalQueue(question) : ofClusterQueue(question);
  }

  private Tree ofClusterQueue(Question question) {
    String queue = question.name();
    return book.read(queues -> {
      if (queues.ledger().queue(queue).isEmpty()) {
        throw missing(question);
      }
      return summary(queues, queue, _ -> true, question);
    });
  }

  private Tree ofLocalQueue(Question question) {
    ObjectKey key = Kinds.LOCAL_QUEUE.key(question.namespace(), question.name());
    String clusterQueue =
        cluster
            .get(key)
            .map(found -> new LocalQueue(found).clusterQueue())
            .orElseThrow(() -> missing(question));
    String path = question.namespace() + "/" + question.name();
    return book.read(queues ->
        summary(queues, clusterQueue, one -> one.localQueuePath().equals(path), question));
  }

  private Tree summary(
      AdmissionQueues queues,
      String clusterQueue,
      Predicate<PendingWorkload> inQueue,
      Question question) {
    Page page = Page.of(question);
    String name = question.parameter("workload");
    Predicate<PendingWorkload> shown =
        name.isEmpty() ? inQueue : inQueue.and(one -> one.name().equals(name));
    return PendingWorkloadsSummary.of(queues.inOrder(clusterQueue), shown, page)
        .tree(question.part().body().apiVersion(), entry -> item(queues, entry, page));
  }

  private Tree item(AdmissionQueues queues, Entry entry, Page page) {
    return entry.tree(metadata(entry));
  }

  private Tree metadata(Entry entry) {
    Optional<ApiObject> object =
        cluster.get(Kinds.WORKLOAD.key(entry.workload().namespace(), entry.workload().name()));
    return object
        .map(found -> {
          Tree metadata = found.metadata();
          Tree shown =
              entry.ownMetadata().with("creationTimestamp", metadata.at("creationTimestamp"));
          return metadata.has("ownerReferences")
              ? shown.with("ownerReferences", metadata.at("ownerReferences"))
              : shown;
        })
        .orElseGet(entry::ownMetadata);
  }

  private static ApiException missing(Question question) {
    return ApiFailure.notFound(question.part().of().key(question.namespace(), question.name()));
  }
}
