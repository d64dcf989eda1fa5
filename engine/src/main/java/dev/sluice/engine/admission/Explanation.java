package dev.sluice.engine.admission;

import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.quota.FlavorResource;
import java.util.List;

/**
 * Why a workload waits, as things stand now: its place in the line, and for each pod set and flavor
 * what is missing, where, and who has it.
 *
 * @param ahead how many come before it in its line
 * @param firstAhead the first of them, as {@code namespace/name}; at most {@link #NAMED}
 * @param waitsFor who was told to give way for it and still holds quota
 */
public record Explanation(
    PendingWorkload workload,
    State standing,
    int ahead,
    List<String> firstAhead,
    List<PodSetFindings> podSets,
    List<Target> waitsFor) {

  /** How many workloads or queues are named at most, where there may be many. */
  public static final int NAMED = 5;

  /** For one that waits for a queue that does not exist. */
  static Explanation withoutQueue(PendingWorkload workload) {
    return new Explanation(workload, State.NO_QUEUE, 0, List.of(), List.of(), List.of());
  }

  /**
   * For one that may not go yet.
   *
   * @param open whether its queue admits anybody
   */
  static Explanation resting(PendingWorkload workload, boolean open) {
    State standing = open ? State.RESTING : State.QUEUE_INACTIVE;
    return new Explanation(workload, standing, 0, List.of(), List.of(), List.of());
  }

  /** Where in its queue it stands. */
  public enum State {
    /** Its ClusterQueue does not exist. */
    NO_QUEUE,
    /** Its ClusterQueue does not admit anybody now. */
    QUEUE_INACTIVE,
    /** Its ClusterQueue does not serve its namespace. */
    NOT_SERVED,
    /** Its pods would never start as they are. */
    MISCONFIGURED,
    /** It was evicted, and may not go before its time has come or somebody says so. */
    RESTING,
    /** It is looked at when its turn comes. */
    IN_LINE,
    /** It could not go, and is looked at again when something changes. */
    PARKED,
    /** Others were told to give way for it. */
    PREEMPTING
  }

  public Explanation {
    firstAhead = List.copyOf(firstAhead);
    podSets = List.copyOf(podSets);
    waitsFor = List.copyOf(waitsFor);
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
      FlavorResource of,
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
