package dev.sluice.controllers.queueing.admission;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.PendingReason;
import dev.sluice.engine.preemption.Target;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * Admits workloads: whenever anything about queues changes it lets the engine decide, and writes
 * what was decided, many at a time. There is one key, because a decision about one workload depends
 * on all others.
 */
public final class AdmissionController implements Controller {
  private static final ObjectKey ALL = Kinds.CLUSTER_QUEUE.key("*");
  private static final int MAX_DECISIONS = 512;
  private static final int MAX_ANNOUNCEMENTS = 256;

  /** How long a server that refuses what was decided is left alone, unless something changes. */
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(1);

  private final Cluster cluster;
  private final QueueCache book;
  private final AdmissionWriter writer;
  private final DecisionLog log;
  private final PendingNotices announcements = new PendingNotices();

  public AdmissionController(Cluster cluster, QueueCache book, DecisionLog log) {
    this.cluster = cluster;
    this.book = book;
    this.writer =
        new AdmissionWriter(cluster, new EventRecorder(cluster, "kueue-admission"), book.wording());
    this.log = log;
  }

  @Override
  public String name() {
    return "admission";
  }

  @Override
  public List<Trigger> triggers() {
    return book.triggers(ALL);
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Instant now = cluster.time().now();
    List<AdmissionDecision> decisions = book.decide(now, MAX_DECISIONS);
    var writes = new ArrayList<Runnable>();
    for (AdmissionDecision decision : decisions) {
      switch (decision) {
        case AdmissionDecision.Admit admit -> {
          announcements.drop(admit.workload().path());
          writes.add(() -> write(admit));
        }
        case AdmissionDecision.Preempt preempt -> {
          preempt.victims().forEach(victim -> writes.add(() -> write(preempt, victim)));
          announcements.put(
              new AdmissionDecision.Pending(preempt.workload(), preempt.reason()), now);
        }
        case AdmissionDecision.Pending wait -> announcements.put(wait, now);
      }
    }
    book.takeTold().forEach(this::listen);
    var unsaid = new ConcurrentLinkedQueue<AdmissionDecision.Pending>();
    announcements
        .take(now, MAX_ANNOUNCEMENTS)
        .forEach(wait -> writes.add(() -> tell(wait, unsaid)));
    writes.addAll(writer.takeEvents()); // of the cycle before, beside the writes of this one
    cluster.together(writes);
    unsaid.forEach(wait -> announcements.takeBack(wait.workload().path()));
    announcements.prune(path -> book.read(queues -> queues.isPending(path)));
    decisions.forEach(decision -> log.decided(now, decision));
    log.attempted(now, cluster.time().now(), decisions);
    return next(decisions.size() >= MAX_DECISIONS || writer.hasEvents());
  }

  /**
   * A workload was told why it waits, perhaps by others. It is told again what was said here, or,
   * if its queue is closed to it now, whatever is found when that opens.
   */
  private void listen(ObjectKey workload) {
    String path = workload.path();
    Optional<PendingReason> said = announcements.said(path);
    if (said.isEmpty() || writer.stands(workload, said.get())) {
      return;
    }
    if (book.read(queues -> queues.isAdmissible(path))) {
      announcements.takeBack(path);
    } else {
      announcements.drop(path);
    }
  }

  private void tell(AdmissionDecision.Pending wait, Queue<AdmissionDecision.Pending> unsaid) {
    if (!writer.hold(wait)) {
      unsaid.add(wait);
    }
  }

  private void write(AdmissionDecision.Admit admit) {
    try {
      writer.admit(admit);
    } finally {
      book.written(Kinds.WORKLOAD.key(admit.workload().namespace(), admit.workload().name()));
    }
  }

  private void write(AdmissionDecision.Preempt preempt, Target target) {
    try {
      writer.evict(preempt, target);
    } finally {
      book.written(Kinds.WORKLOAD.key(target.victim().namespace(), target.victim().name()));
    }
  }

  private Outcome next(boolean more) {
    if (more) {
      return Outcome.again(Duration.ZERO);
    }
    Instant now = cluster.time().now();
    Instant earliest = writer.takeRefused() ? now.plus(AFTER_REFUSAL) : now;
    return Stream.concat(
            book.read(queues -> queues.nextRequeue()).stream(), announcements.next().stream())
        .min(Instant::compareTo)
        .map(at -> Outcome.again(Duration.between(now, at.isAfter(earliest) ? at : earliest)))
        .orElse(Outcome.DONE);
  }
}
