package dev.sluice.engine.queue;

import dev.sluice.engine.quota.Usage;
import dev.sluice.engine.requests.ResourceProblem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A workload that is pending admission. Its natural order is that of its queue: higher priorities
 * first, then the oldest.
 *
 * @param owner the uid of the job it stands for; empty if there is none
 * @param queues the queues that it is pending in
 * @param replaces the slice of the same job whose quota it takes over, if any
 * @param problems why its pods could never start, whatever the quota
 * @param sibling its place among the variants of one job, if it is one
 * @param mayPreempt whether others may be evicted for it
 */
public record PendingWorkload(
    WorkloadIdentity identity,
    String owner,
    QueueNames queues,
    Precedence precedence,
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

  /** {@code namespace/name}. */
  public String path() {
    return identity.path();
  }

  public String namespace() {
    return identity.namespace();
  }

  public String name() {
    return identity.name();
  }

  public String uid() {
    return identity.uid();
  }

  public String localQueue() {
    return queues.local();
  }

  public String clusterQueue() {
    return queues.cluster();
  }

  /** Its LocalQueue as {@code namespace/name}. */
  public String localQueuePath() {
    return identity.namespace() + "/" + queues.local();
  }

  public long priority() {
    return precedence.priority();
  }

  public Instant since() {
    return precedence.since();
  }

  @Override
  public int compareTo(PendingWorkload other) {
    int order = precedence.compareTo(other.precedence);
    return order != 0 ? order : compareAge(other);
  }

  /** The oldest comes first, whatever the priorities; siblings are neighbours. */
  public int compareAge(PendingWorkload other) {
    int order = since().compareTo(other.since());
    order = order != 0 ? order : parentUid().compareTo(other.parentUid());
    order = order != 0 ? order : Integer.compare(rank(), other.rank());
    order = order != 0 ? order : uid().compareTo(other.uid());
    order = order != 0 ? order : namespace().compareTo(other.namespace());
    return order != 0 ? order : name().compareTo(other.name());
  }

  private String parentUid() {
    return sibling.isPresent() ? sibling.get().parent() : uid();
  }

  private int rank() {
    return sibling.isPresent() ? sibling.get().rank() : 0;
  }

  /** Whether it may be assigned a flavor: a variant has only its own. */
  public boolean allows(String flavor) {
    return sibling.isEmpty() || sibling.get().flavor().equals(flavor);
  }

  /** What makes workloads of a queue equivalent: with equal keys they get the same decision. */
  public EquivalenceKey equivalenceKey() {
    return new EquivalenceKey(
        namespace(), priority(), podSets, replaces, problems, sibling, mayPreempt);
  }

  /** The same workload, but with the parts of an equal equivalence key, to share memory. */
  public PendingWorkload sharing(EquivalenceKey equal) {
    return new PendingWorkload(
        new WorkloadIdentity(equal.namespace, name(), uid()),
        owner,
        queues,
        precedence,
        equal.podSets,
        equal.replaces,
        equal.problems,
        equal.sibling,
        mayPreempt);
  }

  /** All that a decision depends on, apart from the position in the queue. */
  public record EquivalenceKey(
      String namespace,
      long priority,
      List<PodSetRequest> podSets,
      Optional<Replaced> replaces,
      List<ResourceProblem> problems,
      Optional<Sibling> sibling,
      boolean mayPreempt) {}

  /** A slice that a larger one of the same job replaces. */
  public record Replaced(String path, Usage usage) {}
}
