package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import java.util.List;

/** The precheck that knows nothing: every head is tried, and every inadmissible workload again. */
public final class NoPrecheck implements Precheck {

  @Override
  public List<PendingQueue> select(List<PendingQueue> queues) {
    return queues.stream().filter(PendingQueue::mayHaveHead).toList();
  }

  @Override
  public List<PendingQueue> selectBeside(List<CycleEntry> entries, CycleDecisions decisions) {
    return List.of();
  }

  @Override
  public Answer check(PendingQueue queue, PendingEntry head) {
    return Answer.Unknown.TRY_IT;
  }

  @Override
  public void nominated(Nomination nomination) {}

  @Override
  public void requeue(PendingQueue queue) {
    queue.requeueInadmissible();
  }
}
