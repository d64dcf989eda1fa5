package dev.sluice.controllers.jobsets;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The status that a JobSet is to have, and the events about it. One write at the end of a reconcile
 * makes all of it visible; the events follow only if that write succeeds.
 */
final class StatusDraft {
  private record Note(boolean warning, String reason, String message) {}

  private final JobSet set;
  private final Instant now;
  private final List<Note> notes = new ArrayList<>();
  private Tree status;

  StatusDraft(JobSet set, Instant now) {
    this.set = set;
    this.now = now;
    // Always there, even if there was none.
    this.status = set.object().status().with("restarts", set.restarts());
  }

  void set(String field, Object value) {
    status = status.with(field, value);
  }

  boolean holds(String condition) {
    return Condition.holds(status, condition);
  }

  /** Makes a condition True. */
  void raise(String type, String reason, String message, boolean warning) {
    boolean known =
        Condition.find(status, type)
            .filter(before -> before.text("status").equals("True"))
            .filter(before -> before.text("reason").equals(reason))
            .isPresent();
    if (!known) {
      status = new Condition(type, true, reason, message).in(status, now);
      notes.add(new Note(warning, reason, message));
    }
  }

  /** Makes a condition False, if it is True; one that was never there is not added. */
  void lower(String type, String reason, String message) {
    if (holds(type)) {
      status = new Condition(type, false, reason, message).in(status, now);
      notes.add(new Note(false, reason, message));
    }
  }

  /** Makes a condition False without an event, because another condition says why. */
  void lowerQuietly(String type, String reason, String message) {
    if (holds(type)) {
      status = new Condition(type, false, reason, message).in(status, now);
    }
  }

  /** Adds an event that is no condition's. */
  void warn(String reason, String message) {
    notes.add(new Note(true, reason, message));
  }

  /** Writes the status if it changed, then the events. */
  JobSet write(Cluster cluster, EventRecorder events) {
    var written =
        status.equals(set.object().status())
            ? set.object()
            : cluster.patchStatus(Kinds.JOB_SET, set.object(), status);
    for (Note note : notes) {
      if (note.warning()) {
        events.warning(set.object(), note.reason(), note.message());
      } else {
        events.normal(set.object(), note.reason(), note.message());
      }
    }
    return new JobSet(written);
  }
}
