package dev.sluice.engine.scheduling.framework;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import java.time.Duration;
import java.time.Instant;

/**
 * Has a say when a pod has found a node and before it is bound: a gang waits here for its other
 * members, a claim for its volume. While a pod waits, its room is taken.
 *
 * <p>It is asked once when the pod has found the node, and then again after everything that
 * happens, until it says yes or no or its patience is over; so it only needs to look at how things
 * are. It may keep notes of the pods it was asked about, which {@link #lost} corrects.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public interface Permit {

  /** Under which name users learn of it. */
  Plugin plugin();

  /** Whether a pod may be bound to its node now. */
  Outcome ask(PodFacts pod, String node, Instant now);

  /** A pod that was asked about will not be bound to the node, whoever is to blame. */
  default void lost(PodFacts pod, String node) {}

  /** What becomes of the pod. */
  sealed interface Outcome {
    Outcome YES = new Yes();
  }

  /** It may be bound. */
  record Yes() implements Outcome {}

  /**
   * It keeps its room and waits.
   *
   * @param patience how long at most, from when this one first said so; 15 minutes are the limit
   */
  record Wait(Duration patience) implements Outcome {}

  /** It gives up its room and waits for another attempt. */
  record No(String reason) implements Outcome {}
}
