package dev.sluice.engine.flavor;

/**
 * The cluster-wide configuration of flavor assignment.
 *
 * @param fungible whether the queues' flavor fungibility counts; if not, the first flavor that fits
 *     best is taken
 * @param ignoresUndeclared whether resources that a queue does not cover are not counted
 */
public record FlavorRules(boolean fungible, boolean ignoresUndeclared) {
  public static final FlavorRules DEFAULT = new FlavorRules(true, false);
}
