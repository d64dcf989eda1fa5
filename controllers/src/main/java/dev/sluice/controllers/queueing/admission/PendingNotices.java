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
 * What waiting workloads should be told, and when.
 *
 * <p>Where much comes and goes, most who wait are admitted before anybody could read why they
 * waited, and what is missing changes all the time. So a workload is told once it has waited for a
 * moment, and then not again for a while; the last word always gets through, also where somebody
 * else has spoken since.
 *
 * <p>Threads: one owner.
 */
final class PendingNotices {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private static final int PRUNE = 4096;

  private final Map<String, Note> notes = new LinkedHashMap<>();
  private int pruneAt = PRUNE;

  /** The latest to say, the last that was said, and when to speak next. */
  private record Note(AdmissionDecision.Pending latest, Optional<PendingReason> said, Instant due) {

    boolean isNews() {
      return said.isEmpty() || !said.get().equals(latest.reason());
    }

    /** Whether it is about the same workload, and not about one that had its name before. */
    boolean isAbout(AdmissionDecision.Pending decision) {
      return latest.workload().uid().equals(decision.workload().uid());
    }
  }

  void put(AdmissionDecision.Pending decision, Instant now) {
    notes.compute(
        decision.workload().path(),
        (_, before) ->
            before == null || !before.isAbout(decision)
                ? new Note(decision, Optional.empty(), now.plus(PATIENCE))
                : new Note(decision, before.said(), before.due()));
  }

  /** A workload waits no longer, or is told by other means. */
  void drop(String workload) {
    notes.remove(workload);
  }

  /** Forgets those who wait no longer, now and then. */
  void prune(Predicate<String> waits) {
    if (notes.size() > pruneAt) {
      notes.keySet().removeIf(path -> !waits.test(path));
      pruneAt = Math.max(PRUNE, 2 * notes.size());
    }
  }

  /** What is due now, at most so many; it counts as said. */
  List<AdmissionDecision.Pending> take(Instant now, int most) {
    var due = new ArrayList<AdmissionDecision.Pending>();
    for (Map.Entry<String, Note> entry : notes.entrySet()) {
      Note note = entry.getValue();
      if (due.size() < most && note.isNews() && !note.due().isAfter(now)) {
        due.add(note.latest());
        entry.setValue(
            new Note(note.latest(), Optional.of(note.latest().reason()), now.plus(PAUSE)));
      }
    }
    return due;
  }

  /** What a workload was told last, if it still waits for what it was told. */
  Optional<PendingReason> said(String workload) {
    return Optional.ofNullable(notes.get(workload)).flatMap(Note::said);
  }

  /** What was said last does not stand, or could not be said; it is due again after a while. */
  void takeBack(String workload) {
    notes.computeIfPresent(
        workload, (_, note) -> new Note(note.latest(), Optional.empty(), note.due()));
  }

  /** When something is due next. */
  Optional<Instant> next() {
    return notes.values().stream().filter(Note::isNews).map(Note::due).min(Instant::compareTo);
  }
}
