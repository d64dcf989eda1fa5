package dev.sluice.engine.flavor;

import dev.sluice.engine.flavor.Assignment.Choice;
import dev.sluice.engine.queue.QueueSpec;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The fit of one flavor for all resources of a group: that of the resource that fits worst. */
record FlavorFit(AssignmentMode mode, int level, SortedMap<String, Choice> choices) {
  /** No flavor fits. */
  static final FlavorFit NONE =
      new FlavorFit(AssignmentMode.NO_FIT, Integer.MAX_VALUE, Collections.emptySortedMap());

  /** No resource has been checked yet. */
  static final FlavorFit EMPTY = new FlavorFit(AssignmentMode.FIT, 0, Collections.emptySortedMap());

  FlavorFit with(
      String resource, String flavor, QuotaCheck.Result result, QueueSpec.Fungibility rules) {
    var more = new TreeMap<>(choices);
    more.put(resource, new Choice(flavor, result.mode(), result.level()));
    var added = new FlavorFit(result.mode(), result.level(), more);
    return result.mode() == AssignmentMode.NO_FIT || isPreferredTo(added, rules)
        ? added
        : new FlavorFit(mode, level, more);
  }

  /**
   * Whether all resources fit; {@code mode} may be that of a borrowing resource, by fungibility.
   */
  boolean fits() {
    return choices.values().stream().allMatch(choice -> choice.mode() == AssignmentMode.FIT);
  }

  boolean isPreferredTo(FlavorFit other, QueueSpec.Fungibility rules) {
    if (mode == AssignmentMode.NO_FIT || other.mode == AssignmentMode.NO_FIT) {
      return mode != AssignmentMode.NO_FIT;
    }
    boolean candidates = mode != AssignmentMode.NO_CANDIDATES;
    if (candidates != (other.mode != AssignmentMode.NO_CANDIDATES)) {
      return candidates;
    }
    if (rules.preemptionOverBorrowing()) {
      return level != other.level ? level < other.level : mode.compareTo(other.mode) > 0;
    }
    return mode != other.mode ? mode.compareTo(other.mode) > 0 : level < other.level;
  }
}
