package dev.sluice.engine.flavor;

/**
 * What is decided for the whole installation about flavors.
 *
 * @param fungible whether queues say when the next flavor is tried; if not, the first that fits
 *     best is taken
 * @param ignoresUndeclared whether resources that a queue does not cover are not counted
 */
public record FlavorRules(boolean fungible, boolean ignoresUndeclared) {
  public static final FlavorRules DEFAULT = new FlavorRules(true, false);
}
