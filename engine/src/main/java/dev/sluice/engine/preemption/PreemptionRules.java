package dev.sluice.engine.preemption;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * The cluster-wide configuration of preemption.
 *
 * @param strategies how shares are compared; none means that priority alone decides
 * @param withinNominal whether a queue that stays within its own quota may reclaim it regardless of
 *     shares
 * @param newerBy by how much a workload of the same priority must be newer to be preempted
 * @param byUsage orders LocalQueues, as {@code namespace/name}, by their past usage; all equal if
 *     usage does not count
 */
public record PreemptionRules(
    List<Strategy> strategies,
    boolean withinNominal,
    Duration newerBy,
    Comparator<String> byUsage) {

  /** Past usage of LocalQueues does not count. */
  public static final Comparator<String> REGARDLESS_OF_USAGE = (_, _) -> 0;

  /** Priority alone. */
  public static final PreemptionRules CLASSICAL =
      new PreemptionRules(List.of(), true, Duration.ZERO, REGARDLESS_OF_USAGE);

  /** When a queue may preempt workloads of one with a higher share. */
  public enum Strategy {
    /** If its share stays at or below the other's after the preemption. */
    LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
    /** If its share stays below the other's before the preemption. */
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
