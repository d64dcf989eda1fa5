package dev.sluice.engine.queue;

import dev.sluice.engine.quota.Usage;
import dev.sluice.engine.requests.ResourceProblem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A workload that waits for admission. The order is that of its queue: higher priorities first,
 * then who has waited longest.
 *
 * @param owner the uid of the job it stands for; empty if there is none
 * @param clusterQueue where it waits
 * @param priority with any boost
 * @param since what it queues by: mostly when it was created
 * @param replaces the slice of the same job whose quota it takes over, if it does
 * @param problems why its pods would never start, whatever quota there is
 * @param sibling whose sibling it is, if it is one
 * @param mayPreempt whether others may be evicted for it
 */
public record PendingWorkload(
    String namespace,
    String name,
    String uid,
    String owner,
    String localQueue,
    String clusterQueue,
    long priority,
    Instant since,
    List<PodSetRequest> podSets,
    Optional<Replaced> replaces,
    List<ResourceProblem> problems,
    Optional<Sibling> sibling,
    boolean mayPreempt)
    implements Comparable<PendingWorkload> {
  public PendingWorkload {
    podSets = List.copyOf(podSets);
    problems = List.copyOf(problems);
  }

  /** One that stands alone. */
  public PendingWorkload(
      String namespace,
      String name,
      String uid,
      String owner,
      String localQueue,
      String clusterQueue,
      long priority,
      Instant since,
      List<PodSetRequest> podSets,
      Optional<Replaced> replaces,
      List<ResourceProblem> problems) {
    this(
        namespace,
        name,
        uid,
        owner,
        localQueue,
        clusterQueue,
        priority,
        since,
        podSets,
        replaces,
        problems,
        Optional.empty(),
        true);
  }

  /** {@code namespace/name}. */
  public String path() {
    return namespace + "/" + name;
  }

  /** Its LocalQueue as {@code namespace/name}. */
  public String localQueuePath() {
    return namespace + "/" + localQueue;
  }

  @Override
  public int compareTo(PendingWorkload other) {
    if (priority != other.priority) {
      return Long.compare(other.priority, priority);
    }
    return compareAge(other);
  }

  /** Who has waited longest comes first, whatever the priorities; siblings stand together. */
  public int compareAge(PendingWorkload other) {
    int order = since.compareTo(other.since);
    order = order != 0 ? order : familyUid().compareTo(other.familyUid());
    order = order != 0 ? order : Integer.compare(rank(), other.rank());
    order = order != 0 ? order : uid.compareTo(other.uid);
    order = order != 0 ? order : namespace.compareTo(other.namespace);
    return order != 0 ? order : name.compareTo(other.name);
  }

  private String familyUid() {
    return sibling.isPresent() ? sibling.get().parent() : uid;
  }

  private int rank() {
    return sibling.isPresent() ? sibling.get().rank() : 0;
  }

  /** Whether it may get a flavor, as far as its family is concerned. */
  public boolean allows(String flavor) {
    return sibling.isEmpty() || sibling.get().flavor().equals(flavor);
  }

  /** Equal for workloads of a queue that get the same answer to the same question. */
  public Shape shape() {
    return new Shape(namespace, priority, podSets, replaces, problems, sibling, mayPreempt);
  }

  /** The same, but with the parts that make up its shape from an equal shape, to share memory. */
  public PendingWorkload sharing(Shape equal) {
    return new PendingWorkload(
        equal.namespace,
        name,
        uid,
        owner,
        localQueue,
        clusterQueue,
        priority,
        since,
        equal.podSets,
        equal.replaces,
        equal.problems,
        equal.sibling,
        mayPreempt);
  }

  /** All that an answer depends on, apart from the place in the line. */
  public record Shape(
      String namespace,
      long priority,
      List<PodSetRequest> podSets,
      Optional<Replaced> replaces,
      List<ResourceProblem> problems,
      Optional<Sibling> sibling,
      boolean mayPreempt) {}

  /** A slice that gives way to a larger one of the same job. */
  public record Replaced(String path, Usage usage) {}
}
