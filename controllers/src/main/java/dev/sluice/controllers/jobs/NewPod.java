package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.JobPod;
import java.util.Optional;

/** A pod that a Job needs. */
sealed interface NewPod {

  /** Any pod will do. */
  record Plain() implements NewPod {}

  /** A pod for one index. */
  record Indexed(long index) implements NewPod {}

  /**
   * A pod for one index that has a limit of its own, and which therefore carries how many before it
   * failed.
   */
  record Counted(long index, long failures, long ignoredFailures) implements NewPod {

    /** The pod that follows the last one that failed, if one did. */
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
