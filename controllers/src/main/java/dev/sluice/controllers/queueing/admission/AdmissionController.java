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
 * The controller that runs admission cycles: whenever a queue or workload changes, the engine
 * decides, and the decisions are written, many in parallel. There is one key, because the decision
 * about a workload depends on all others.
 */
public final class AdmissionController implements Controller {
  private static final ObjectKey ALL = Kinds.CLUSTER_QUEUE.key("*");
  private static final int MAX_DECISIONS = 512;
  private static final int MAX_NOTICES = 256;

  /** The backoff after the API server has refused a decision, unless something changes before. */
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(1);

  private final Cluster cluster;
  private final QueueCache cache;
  private final AdmissionWriter writer;
  private final DecisionLog log;
  private final PendingNotices notices = new PendingNotices();

  public AdmissionController(Cluster cluster, QueueCache cache, DecisionLog log) {
    this.cluster = cluster;
    this.cache = cache;
    this.writer =
        new AdmissionWriter(
            cluster, new EventRecorder(cluster, "kueue-admission"), cache.conditionReasons());
    this.log = log;
  }

  @Override
  public String name() {
    return "admission";
  }

  @Override
  public List<Trigger> triggers() {
    return cache.triggers(ALL);
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Instant now = cluster.time().now();
    List<AdmissionDecision> decisions = cache.decide(now, MAX_DECISIONS);
    var writes = new ArrayList<Runnable>();
    for (AdmissionDecision decision : decisions) {
      switch (decision) {
        case AdmissionDecision.Admit admit -> {
          notices.drop(admit.workload().path());
          writes.add(() -> write(admit));
        }
        case AdmissionDecision.Preempt preempt -> {
          preempt.victims().forEach(victim -> writes.add(() -> write(preempt, victim)));
          notices.put(new AdmissionDecision.Pending(preempt.workload(), preempt.reason()), now);
        }
        case AdmissionDecision.Pending pending -> notices.put(pending, now);
      }
    }
    cache.takeUnreserved().forEach(this::recheckNotice);
    var failed = new ConcurrentLinkedQueue<AdmissionDecision.Pending>();
    notices
        .take(now, MAX_NOTICES)
        .forEach(pending -> writes.add(() -> writeNotice(pending, failed)));
    // The events of the previous cycle are written in parallel with the decisions of this one.
    writes.addAll(writer.takeEvents());
    cluster.together(writes);
    failed.forEach(pending -> notices.takeBack(pending.workload().path()));
    notices.prune(path -> cache.read(queues -> queues.isPending(path)));
    decisions.forEach(decision -> log.decided(now, decision));
    log.attempted(now, cluster.time().now(), decisions);
    return next(decisions.size() >= MAX_DECISIONS || writer.hasEvents());
  }

  /**
   * Checks the pending condition of a workload whose status changed, perhaps through another
   * client. If it is no longer what was written here, it is written again; if the queue is stopped
   * meanwhile, the next decision about the workload is.
   */
  private void recheckNotice(ObjectKey workload) {
    String path = workload.path();
    Optional<PendingReason> written = notices.written(path);
    if (written.isEmpty() || writer.stands(workload, written.get())) {
      return;
    }
    if (cache.read(queues -> queues.isAdmissible(path))) {
      notices.takeBack(path);
    } else {
      notices.drop(path);
    }
  }

  private void writeNotice(
      AdmissionDecision.Pending pending, Queue<AdmissionDecision.Pending> failed) {
    if (!writer.hold(pending)) {
      failed.add(pending);
    }
  }

  private void write(AdmissionDecision.Admit admit) {
    try {
      writer.admit(admit);
    } finally {
      cache.assumptionEnded(
          Kinds.WORKLOAD.key(admit.workload().namespace(), admit.workload().name()));
    }
  }

  private void write(AdmissionDecision.Preempt preempt, Target target) {
    try {
      writer.evict(preempt, target);
    } finally {
      cache.assumptionEnded(
          Kinds.WORKLOAD.key(target.victim().namespace(), target.victim().name()));
    }
  }

  private Outcome next(boolean more) {
    if (more) {
      return Outcome.again(Duration.ZERO);
    }
    Instant now = cluster.time().now();
    Instant earliest = writer.takeRefused() ? now.plus(AFTER_REFUSAL) : now;
    return Stream.concat(
            cache.read(queues -> queues.nextRequeue()).stream(), notices.next().stream())
        .min(Instant::compareTo)
        .map(at -> Outcome.again(Duration.between(now, at.isAfter(earliest) ? at : earliest)))
        .orElse(Outcome.DONE);
  }
}
