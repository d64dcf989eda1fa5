package dev.sluice.engine.scheduling.framework;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import java.time.Duration;
import java.time.Instant;

/**
 * A Permit plugin, called after a pod has found a node and before it is bound: a gang waits here
 * for its other members, a claim for its volume. While a pod waits, its resources on the node are
 * reserved.
 *
 * <p>It is called once when the pod has found the node, and then again after every event, until it
 * permits or rejects the pod or its timeout has passed; so it only needs to examine the current
 * state. It may keep state about the pods that it was called for, which {@link #lost} corrects.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public interface Permit {

  /** The name that messages show. */
  Plugin plugin();

  /** Whether a pod may be bound to its node now. */
  Outcome ask(PodFacts pod, String node, Instant now);

  /** Notifies it that a pod will not be bound to the node after all, for any reason. */
  default void lost(PodFacts pod, String node) {}

  /** The answer of the plugin. */
  sealed interface Outcome {
    Outcome YES = new Yes();
  }

  /** The pod may be bound. */
  record Yes() implements Outcome {}

  /**
   * The pod keeps its reserved resources and waits.
   *
   * @param patience the timeout, from the first time that this plugin answered so; at most 15
   *     minutes
   */
  record Wait(Duration patience) implements Outcome {}

  /** The pod is rejected and goes back to the scheduling queue. */
  record No(String reason) implements Outcome {}
}
