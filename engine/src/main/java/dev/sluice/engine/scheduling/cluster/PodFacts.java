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
 * @param labels the pod's own object, shared because there may be a million pods
 * @param preempts whether it may preempt pods of lower priority
 * @param started when its kubelet acknowledged it; {@link Instant#MAX} if it has not, since no work
 *     would be lost
 * @param terminating whether it is being deleted
 * @param makesRoom whether it is being deleted because it was preempted
 * @param nominatedNode the node that it is nominated to; empty if none
 * @param interPodTerms its terms about other pods: affinity and topology spread
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
    PodSignature signature,
    InterPodTerms interPodTerms) {

  static PodFacts of(Pod pod, PodSignature signature) {
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
        signature,
        InterPodTerms.of(pod));
  }

  /** The same pod, nominated to a node, or to none if the name is empty. */
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
        signature,
        interPodTerms);
  }

  /** The same pod, started at another time. */
  public PodFacts startedAt(Instant time) {
    return new PodFacts(
        key,
        uid,
        labels,
        priority,
        preempts,
        time,
        terminating,
        makesRoom,
        nominatedNode,
        signature,
        interPodTerms);
  }

  /** Whether it differs at most in when it started. */
  boolean isLike(PodFacts other) {
    return started.equals(other.started) ? equals(other) : startedAt(other.started).equals(other);
  }

  /** The same pod after it was preempted. */
  public PodFacts leaving() {
    return new PodFacts(
        key,
        uid,
        labels,
        priority,
        preempts,
        started,
        true,
        true,
        nominatedNode,
        signature,
        interPodTerms);
  }

  /** The PersistentVolumeClaims that it needs. */
  public List<ObjectKey> claims() {
    return signature.volumeClaims().isEmpty()
        ? List.of()
        : signature.volumeClaims().stream().map(use -> use.claim(namespace(), key.name())).toList();
  }

  public String namespace() {
    return key.namespace();
  }
}
