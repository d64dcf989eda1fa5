package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;

/**
 * A pod as the scheduler sees it.
 *
 * @param labels as they stand in the pod, with which they are shared: there may be a million pods
 * @param preempts whether it may push pods of lower priority off their nodes
 * @param started when its node took it over; the end of time if it has not yet, since nothing of it
 *     would be lost
 * @param terminating whether it was asked to end
 * @param makesRoom whether it was asked to end so that another pod gets its place
 * @param nominatedNode where room is kept for it, empty if nowhere
 * @param company what it asks of the pods around it
 */
public record PodFacts(
    ObjectKey key,
    String uid,
    Tree labels,
    long priority,
    boolean preempts,
    Instant started,
    boolean terminating,
    boolean makesRoom,
    String nominatedNode,
    PodSignature shape,
    InterPodTerms company) {

  static PodFacts of(Pod pod, PodSignature shape) {
    PodStatus status = pod.status();
    return new PodFacts(
        pod.key(),
        pod.uid(),
        pod.object().metadata().tree("labels"),
        pod.spec().priority(),
        pod.spec().preempts(),
        status.started().orElse(Instant.MAX),
        pod.isDeleting(),
        pod.isDeleting()
            && status.holds(PodStatus.DISRUPTION_TARGET)
            && status.reason(PodStatus.DISRUPTION_TARGET).equals(Eviction.REASON),
        status.nominatedNodeName(),
        shape,
        InterPodTerms.of(pod));
  }

  /** The same pod with room kept on a node, or nowhere where the name is empty. */
  public PodFacts nominatedTo(String node) {
    return new PodFacts(
        key,
        uid,
        labels,
        priority,
        preempts,
        started,
        terminating,
        makesRoom,
        node,
        shape,
        company);
  }

  /** The same pod, started at another moment. */
  public PodFacts startedAt(Instant moment) {
    return new PodFacts(
        key,
        uid,
        labels,
        priority,
        preempts,
        moment,
        terminating,
        makesRoom,
        nominatedNode,
        shape,
        company);
  }

  /** Whether it differs at most in when it started. */
  boolean isLike(PodFacts other) {
    return started.equals(other.started) ? equals(other) : startedAt(other.started).equals(other);
  }

  /** The same pod once it was asked to leave for a more important one. */
  public PodFacts leaving() {
    return new PodFacts(
        key, uid, labels, priority, preempts, started, true, true, nominatedNode, shape, company);
  }

  /** The claims of volumes that it needs. */
  public List<ObjectKey> claims() {
    return shape.volumeClaims().isEmpty()
        ? List.of()
        : shape.volumeClaims().stream().map(use -> use.claim(namespace(), key.name())).toList();
  }

  public String namespace() {
    return key.namespace();
  }
}
