package dev.sluice.engine.admission;

import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.quota.FlavorResource;
import java.util.List;
import java.util.Optional;

/**
 * The reasons why a workload is pending, as things stand now: its position in the queue, and for
 * each pod set and flavor what is missing, where, and which queues have it.
 *
 * @param ahead how many come before it in its queue
 * @param firstAhead the first of them, as {@code namespace/name}; at most {@link #NAMED}
 * @param waitsFor its victims that still hold quota
 * @param blocked how many workloads it blocks, as the head of a StrictFIFO queue
 * @param firstBlocked the first of them; at most {@link #NAMED}
 * @param preemption why preemption does not make room for it; empty if it was not tried yet, or if
 *     it preempts
 */
public record Explanation(
    PendingWorkload workload,
    State state,
    int ahead,
    List<String> firstAhead,
    List<PodSetFindings> podSets,
    List<Target> waitsFor,
    int blocked,
    List<String> firstBlocked,
    Optional<NoPreemption> preemption) {

  /** How many workloads or queues are named at most, where there may be many. */
  public static final int NAMED = 5;

  /** For a workload whose queue does not exist. */
  static Explanation withoutQueue(PendingWorkload workload) {
    return only(workload, State.NO_QUEUE);
  }

  /**
   * For a workload that backs off.
   *
   * @param admits whether its queue is active
   */
  static Explanation backingOff(PendingWorkload workload, boolean admits) {
    State state = admits ? State.BACKING_OFF : State.QUEUE_INACTIVE;
    return only(workload, state);
  }

  private static Explanation only(PendingWorkload workload, State state) {
    return new Explanation(
        workload, state, 0, List.of(), List.of(), List.of(), 0, List.of(), Optional.empty());
  }

  /** Where in its queue a workload is. */
  public enum State {
    /** Its ClusterQueue does not exist. */
    NO_QUEUE,
    /** Its ClusterQueue does not admit workloads now. */
    QUEUE_INACTIVE,
    /** Its ClusterQueue does not select its namespace. */
    NAMESPACE_MISMATCH,
    /** Its pods would never start as they are. */
    MISCONFIGURED,
    /** It was evicted, and is not tried before its backoff ends. */
    BACKING_OFF,
    /** It is tried when its turn comes. */
    PENDING,
    /** It did not fit, and is tried again when something changes. */
    INADMISSIBLE,
    /** It preempts others, which still hold quota. */
    PREEMPTING
  }

  public Explanation {
    firstAhead = List.copyOf(firstAhead);
    podSets = List.copyOf(podSets);
    waitsFor = List.copyOf(waitsFor);
    firstBlocked = List.copyOf(firstBlocked);
  }

  /**
   * Why preemption does not make room.
   *
   * @param candidates how many workloads the policies allow it to preempt
   */
  public record NoPreemption(Obstacle obstacle, int candidates) {

    /** What prevents preemption. */
    public enum Obstacle {
      /** All preemption policies of the queue are Never. */
      POLICY_NEVER,
      /** A preemption gate of the workload is closed. */
      GATED,
      /** The policies allow no workload that uses what is missing. */
      NO_CANDIDATES,
      /** The candidates hold too little, or the queue may not preempt them while it borrows. */
      TOO_LITTLE
    }
  }

  /**
   * What each flavor has to offer to a pod set.
   *
   * @param uncovered resources that no flavor of the queue covers
   */
  public record PodSetFindings(
      String podSet, List<NoFitReason> uncovered, List<FlavorFindings> flavors) {
    public PodSetFindings {
      uncovered = List.copyOf(uncovered);
      flavors = List.copyOf(flavors);
    }
  }

  /**
   * What keeps a pod set from one flavor; nothing if it fits.
   *
   * @param obstacles why the pods may not use the flavor at all
   * @param shortages the resources of which too little is free
   */
  public record FlavorFindings(
      String flavor, List<NoFitReason> obstacles, List<Shortage> shortages) {
    public FlavorFindings {
      obstacles = List.copyOf(obstacles);
      shortages = List.copyOf(shortages);
    }

    public boolean fits() {
      return obstacles.isEmpty() && shortages.isEmpty();
    }
  }

  /** Which of a node's limits is short. */
  public enum Limit {
    /** The quota of a queue that is in no cohort. */
    QUEUE_QUOTA,
    /** What a queue or cohort may borrow. */
    BORROWING_LIMIT,
    /** All that the queues below the topmost cohort have together. */
    COHORT_QUOTA
  }

  /**
   * Too little of one resource.
   *
   * @param requested by this pod set and those before it that use the same flavor
   * @param missing how much more would have to be free at the node
   * @param capacity how much the workload's queue could use if nothing else ran; if {@code
   *     requested} is more, waiting does not help
   * @param node the lowest queue or cohort whose limit is short
   * @param holders the queues below that node which use most of it, at most {@link #NAMED}
   * @param others what all other queues below that node use
   */
  public record Shortage(
      FlavorResource flavorResource,
      long requested,
      long missing,
      long capacity,
      Limit limit,
      String node,
      List<Holder> holders,
      long others) {
    public Shortage {
      holders = List.copyOf(holders);
    }
  }

  /** How much a queue uses, and in how many workloads. */
  public record Holder(String queue, long amount, int workloads) {}
}
