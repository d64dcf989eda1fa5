package dev.sluice.engine.preemption;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * What is decided for the whole installation about evicting workloads for others.
 *
 * @param strategies how shares are compared; none means that priority alone decides
 * @param withinNominal whether a queue that stays within its own quota may reclaim it regardless of
 *     shares
 * @param newerBy by how much a workload of the same priority must be newer to give way
 * @param byUsage orders LocalQueues, as {@code namespace/name}, by what they used before; equal if
 *     that does not count
 */
public record PreemptionRules(
    List<Strategy> strategies,
    boolean withinNominal,
    Duration newerBy,
    Comparator<String> byUsage) {

  /** What LocalQueues used before does not count. */
  public static final Comparator<String> REGARDLESS_OF_USAGE = (_, _) -> 0;

  /** Priority alone. */
  public static final PreemptionRules CLASSICAL =
      new PreemptionRules(List.of(), true, Duration.ZERO, REGARDLESS_OF_USAGE);

  /** When a queue may take from one with a higher share. */
  public enum Strategy {
    /** If it stays below, or at, what the other has left. */
    LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
    /** If it stays below what the other had. */
    LESS_THAN_INITIAL_SHARE
  }

  public PreemptionRules {
    strategies = List.copyOf(strategies);
  }

  boolean regardUsage() {
    return !byUsage.equals(REGARDLESS_OF_USAGE);
  }

  public boolean fair() {
    return !strategies.isEmpty();
  }
}
