package dev.sluice.engine.queue;

import dev.sluice.model.Amounts;

/**
 * A pod set's request for quota.
 *
 * @param count how many pods still need resources
 * @param least the fewest it can start with; equal to {@code count} if it needs all
 * @param perPod what each pod asks for, as quota counts it
 * @param needs what else the pods require of their nodes: selectors, affinity, tolerations
 * @param group pod sets of one group get the same flavors; empty if it is in none
 */
public record PodSetRequest(
    String name, int count, int least, Amounts perPod, PodNeeds needs, String group) {

  /** What all its pods ask for together. */
  public Amounts total() {
    return perPod.times(count);
  }

  /** The same request for another number of pods. */
  public PodSetRequest withCount(int other) {
    return other == count
        ? this
        : new PodSetRequest(name, other, Math.min(least, other), perPod, needs, group);
  }
}
