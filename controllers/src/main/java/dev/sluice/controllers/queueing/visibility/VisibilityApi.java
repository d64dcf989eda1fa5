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

  /** All versions, the one that new clients use first. */
  public static final List<String> VERSIONS = List.of(VERSION, "v1beta1");

  private final Cluster cluster;
  private final QueueCache book;

  public VisibilityApi(Cluster cluster, QueueCache book) {
    this.cluster = cluster;
    this.book = book;
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
  public Tree read(Request question) {
    return question.part().of().namespaced() ? ofLocalQueue(question) : ofClusterQueue(question);
  }

  private Tree ofClusterQueue(Request question) {
    List<Seen> seen =
        book.read(queues -> {
          if (queues.ledger().queue(question.name()).isEmpty()) {
            throw missing(question);
          }
          return look(queues, question.name(), _ -> true, question);
        });
    return answer(question, seen, _ -> true);
  }

  private Tree ofLocalQueue(Request question) {
    String path = question.namespace() + "/" + question.name();
    String clusterQueue =
        cluster
            .get(Kinds.LOCAL_QUEUE.key(question.namespace(), question.name()))
            .map(found -> new LocalQueue(found).clusterQueue())
            .orElseThrow(() -> missing(question));
    List<Seen> seen =
        book.read(queues ->
            look(queues, clusterQueue, one -> one.localQueuePath().equals(path), question));
    return answer(question, seen, question.namespace()::equals);
  }

  /** What must be read while nobody decides; the rest is done after. */
  private record Seen(Entry entry, Optional<Explanation> explanation) {}

  private static List<Seen> look(
      AdmissionQueues queues,
      String clusterQueue,
      Predicate<PendingWorkload> inQueue,
      Request question) {
    Page page = Page.of(question);
    String name = question.parameter("workload");
    Predicate<PendingWorkload> shown =
        name.isEmpty() ? inQueue : inQueue.and(one -> one.name().equals(name));
    return PendingWorkloads.inOrder(queues.pendingIn(clusterQueue), shown, page).stream()
        .map(entry -> new Seen(entry, page.explained() ? explain(queues, entry) : Optional.empty()))
        .toList();
  }

  private static Optional<Explanation> explain(AdmissionQueues queues, Entry entry) {
    return queues.explain(entry.workload().path());
  }

  private Tree answer(Request question, List<Seen> seen, Predicate<String> mayName) {
    return Tree.of(
        "apiVersion",
        question.part().body().apiVersion(),
        "kind",
        question.part().body().kind(),
        "metadata",
        Tree.EMPTY,
        "items",
        Items.of(seen.stream().map(one -> item(one, mayName)).toList()));
  }

  private Tree item(Seen seen, Predicate<String> mayName) {
    Tree item = seen.entry().tree(metadata(seen.entry()));
    return seen.explanation()
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

  private static ApiException missing(Request question) {
    return ApiFailure.notFound(question.part().of().key(question.namespace(), question.name()));
  }
}
