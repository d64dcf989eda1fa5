package dev.sluice.controllers.queueing.admission;

import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.PendingReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The conditions that pending workloads should get, and when.
 *
 * <p>On a busy cluster most pending workloads are admitted before a user could read why they
 * waited, and the reason changes all the time. So the condition is written once a workload has been
 * pending for a second, and then at most every five seconds. The latest reason is always written in
 * the end, also over one that another client wrote since.
 *
 * <p>Threads: one owner.
 */
final class PendingNotices {
  private static final Duration FIRST_AFTER = Duration.ofSeconds(1);
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private static final int MIN_PRUNED = 4096;

  private final Map<String, Note> notes = new LinkedHashMap<>();
  private int pruneAt = MIN_PRUNED;

  /** The latest decision, the reason that was written last, and when the next write is due. */
  private record Note(
      AdmissionDecision.Pending latest, Optional<PendingReason> written, Instant due) {

    boolean isChanged() {
      return written.isEmpty() || !written.get().equals(latest.reason());
    }

    /** Whether it is about the same workload, and not an earlier one of that name. */
    boolean isAbout(AdmissionDecision.Pending decision) {
      return latest.workload().uid().equals(decision.workload().uid());
    }
  }

  void put(AdmissionDecision.Pending decision, Instant now) {
    notes.compute(
        decision.workload().path(),
        (_, before) ->
            before == null || !before.isAbout(decision)
                ? new Note(decision, Optional.empty(), now.plus(FIRST_AFTER))
                : new Note(decision, before.written(), before.due()));
  }

  /** Removes the notice of a workload that is no longer pending. */
  void drop(String workload) {
    notes.remove(workload);
  }

  /** Removes the notices of workloads that are no longer pending, once there are many. */
  void prune(Predicate<String> isPending) {
    if (notes.size() > pruneAt) {
      notes.keySet().removeIf(path -> !isPending.test(path));
      pruneAt = Math.max(MIN_PRUNED, 2 * notes.size());
    }
  }

  /** Returns what is due now, up to a limit, and counts it as written. */
  List<AdmissionDecision.Pending> take(Instant now, int limit) {
    var due = new ArrayList<AdmissionDecision.Pending>();
    for (Map.Entry<String, Note> entry : notes.entrySet()) {
      Note note = entry.getValue();
      if (due.size() < limit && note.isChanged() && !note.due().isAfter(now)) {
        due.add(note.latest());
        entry.setValue(
            new Note(note.latest(), Optional.of(note.latest().reason()), now.plus(INTERVAL)));
      }
    }
    return due;
  }

  /** The reason that was written last for a pending workload, if any. */
  Optional<PendingReason> written(String workload) {
    return Optional.ofNullable(notes.get(workload)).flatMap(Note::written);
  }

  /**
   * Counts the last reason as not written, because the write failed or was overwritten; it is due
   * again.
   */
  void takeBack(String workload) {
    notes.computeIfPresent(
        workload, (_, note) -> new Note(note.latest(), Optional.empty(), note.due()));
  }

  /** The time when the next notice is due. */
  Optional<Instant> next() {
    return notes.values().stream().filter(Note::isChanged).map(Note::due).min(Instant::compareTo);
  }
}
