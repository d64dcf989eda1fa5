package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.JobPod;
import java.util.Optional;

/** A pod that a Job needs, not yet created. */
sealed interface NewPod {

  /** A pod of a NonIndexed Job. */
  record Plain() implements NewPod {}

  /** A pod for one index. */
  record Indexed(long index) implements NewPod {}

  /**
   * A pod for one index that has its own backoff limit, and which therefore carries how many pods
   * of the index failed before it.
   */
  record Counted(long index, long failures, long ignoredFailures) implements NewPod {

    /** The pod that follows the last failed one of an index, if there is one. */
    static Counted after(long index, Optional<FailedPod> failed) {
      if (failed.isEmpty()) {
        return new Counted(index, 0, 0);
      }
      var before = new JobPod(failed.get().pod());
      boolean counts = failed.get().counts();
      return new Counted(
          index, before.failures() + (counts ? 1 : 0), before.ignoredFailures() + (counts ? 0 : 1));
    }
  }
}
