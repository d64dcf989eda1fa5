package dev.sluice.controllers.queueing;

import dev.sluice.model.kueue.PodSet;
import java.util.List;

/** Whether pod sets ask for the same: as many pods with the same containers. */
final class PodSetShape {
  private PodSetShape() {}

  static boolean same(List<PodSet> one, List<PodSet> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      if (!same(one.get(i), other.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(PodSet one, PodSet other) {
    return one.count() == other.count() && one.template().runsTheSameAs(other.template());
  }
}
