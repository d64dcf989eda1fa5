package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import java.util.List;

/**
 * All that saves an admission cycle work: which queues are worth a nomination, and which entries
 * certainly fit or certainly do not.
 *
 * <p>A precheck never changes which workloads are admitted or preempted, nor their order: {@link
 * NoPrecheck} decides the same, and random tests compare both.
 */
public interface Precheck {

  /** The queues whose heads need a nomination, whichever heads the other queues send. */
  List<PendingQueue> select(List<PendingQueue> queues);

  /**
   * Of the queues that {@link #select} left out, those whose heads need a nomination beside the
   * entries that are known by now. Heads that certainly fit and come first are added to the entries
   * without one.
   */
  List<PendingQueue> selectBeside(List<CycleEntry> entries, CycleDecisions decisions);

  /** What is known of the head of a queue without a nomination. */
  Answer check(PendingQueue queue, PendingEntry head);

  /** Notes what a complete nomination found. */
  void nominated(Nomination nomination);

  /** Requeues the inadmissible workloads of a queue that quota which came back may help. */
  void requeue(PendingQueue queue);

  /** What a precheck says of a head. */
  sealed interface Answer {

    /** It takes part in the cycle as this entry; a nomination would find nothing else. */
    record Known(CycleEntry entry) implements Answer {}

    /** No entry is known. */
    enum Unknown implements Answer {
      /** Only a nomination can say. */
      TRY_IT,
      /** It certainly does not fit, and was marked inadmissible again. */
      STILL_INADMISSIBLE
    }
  }
}
