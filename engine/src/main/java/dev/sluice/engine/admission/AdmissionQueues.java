package dev.sluice.engine.admission;

import dev.sluice.engine.admission.cycle.AdmissionCycle;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.cycle.NoPrecheck;
import dev.sluice.engine.admission.cycle.Nominator;
import dev.sluice.engine.admission.cycle.Precheck;
import dev.sluice.engine.admission.pending.Headroom;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.admission.pending.RequeueTimer;
import dev.sluice.engine.admission.pending.RootCohorts;
import dev.sluice.engine.admission.precheck.IndexedPrecheck;
import dev.sluice.engine.preemption.PreemptionSearch;
import dev.sluice.engine.queue.FlavorSpec;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.QuotaSpec;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * All ClusterQueues: their pending workloads, the quota reservations, and what is decided next.
 *
 * <p>The caller reports every change and asks it to {@link #decide}. What it decides counts as
 * done: an admitted workload holds its quota from then on, a victim is evicted. A caller that could
 * not do what was decided reports how things stand ({@link #workloadPending}, {@link
 * #quotaReleased}). The same is built from the objects alone after a restart.
 *
 * <p>Threads: one owner.
 */
public final class AdmissionQueues {
  private final QuotaLedger ledger = new QuotaLedger();
  private final AdmissionRules rules;
  private final PreemptionSearch preemption;
  private final Nominator nominator;
  private final Precheck precheck;
  private final PendingWorkloads pending = new PendingWorkloads();
  private final Set<String> notReady = new LinkedHashSet<>();
  private final IssuedPreemptions preemptions = new IssuedPreemptions(ledger);
  private final NamespaceLabels namespaces = new NamespaceLabels();
  private final RootCohorts rootCohorts = new RootCohorts();
  private final RequeueTimer requeueTimer;

  public AdmissionQueues(AdmissionRules rules) {
    this(rules, true);
  }

  private AdmissionQueues(AdmissionRules rules, boolean prechecks) {
    this.rules = rules;
    this.preemption =
        prechecks
            ? new PreemptionSearch(ledger, rules.preemption())
            : PreemptionSearch.withoutShortcuts(ledger, rules.preemption());
    this.nominator = new Nominator(ledger, rules, preemption);
    this.precheck =
        prechecks ? new IndexedPrecheck(ledger, rules, nominator, preemption) : new NoPrecheck();
    this.requeueTimer = new RequeueTimer(rules.requeueInterval());
  }

  /** Queues that try every head, at any cost. They decide the same, which tests compare. */
  public static AdmissionQueues withoutPrechecks(AdmissionRules rules) {
    return new AdmissionQueues(rules, false);
  }

  public QuotaLedger ledger() {
    return ledger;
  }

  /** Reports, in words, every victim from now on that is not needed. */
  public void watch(Consumer<String> listener) {
    preemption.watch(listener);
  }

  /** Queues, cohorts or flavors have changed; all pending workloads are requeued. */
  public void queuesChanged(
      Collection<QueueSpec> specs, Collection<QuotaSpec> cohorts, Collection<FlavorSpec> flavors) {
    ledger.define(specs, cohorts, flavors);
    var gone = new LinkedHashSet<>(pending.queues().keySet());
    for (QueueSpec spec : specs) {
      gone.remove(spec.name());
      define(spec);
    }
    gone.forEach(pending::removeQueue);
    rootCohorts.define(ledger.tree(), pending.queues());
    List.copyOf(pending.withoutQueue().values()).forEach(this::workloadPending);
  }

  private void define(QueueSpec spec) {
    var headroom = new Headroom(ledger, spec, rules.preemption().fair());
    boolean admits = ledger.admits(spec.name());
    PendingQueue queue = pending.queue(spec.name());
    if (queue == null) {
      pending.addQueue(
          new PendingQueue(spec, headroom, admits, namespaces, rules.preemption().byUsage()));
    } else {
      queue.redefine(spec, headroom, admits);
    }
  }

  /** The pending workloads, for others to read. */
  PendingWorkloads pending() {
    return pending;
  }

  /** The labels of all namespaces, by which ClusterQueues select them, may have changed. */
  public void namespacesChanged(SortedMap<String, SortedMap<String, String>> labels) {
    if (namespaces.set(labels)) {
      requeueAll();
    }
  }

  /** A workload is pending, or what it asks for has changed. */
  public void workloadPending(PendingWorkload workload) {
    String path = workload.path();
    release(path);
    PendingEntry known = pending.entry(path);
    if (known != null && !known.workload().clusterQueue().equals(workload.clusterQueue())) {
      workloadLeft(path);
      known = null;
    }
    pending.removeOutsideQueues(path);
    PendingQueue queue = pending.queue(workload.clusterQueue());
    if (queue == null) {
      pending.addWithoutQueue(workload);
      return;
    }
    rootCohorts.markChanged(workload.clusterQueue());
    overtake(queue, workload);
    if (known == null) {
      pending.add(queue, workload);
    } else if (!known.workload().equals(workload)) {
      pending.replace(queue, known, workload);
      dropReserve(known);
    }
  }

  /** A workload backs off: it is not tried before it is reported as pending. */
  public void workloadBackingOff(PendingWorkload workload) {
    workloadLeft(workload.path());
    quotaReleased(workload.path());
    pending.addBackingOff(workload);
  }

  /** A workload is not pending any more. */
  public void workloadLeft(String path) {
    pending
        .remove(path)
        .ifPresent(entry -> {
          rootCohorts.markChanged(entry.workload().clusterQueue());
          dropReserve(entry);
        });
  }

  /** Only the head of a queue reserves quota; in a strict one a newcomer may come before it. */
  private void overtake(PendingQueue queue, PendingWorkload newcomer) {
    if (queue.spec().strict()) {
      queue
          .head()
          .filter(head -> newcomer.compareTo(head.workload()) < 0)
          .ifPresent(head -> {
            dropReserve(head);
            head.setReserves(false);
          });
    }
  }

  /** What an entry reserved is there for others again, as if it had been released. */
  private void dropReserve(PendingEntry entry) {
    if (entry.reserves()) {
      requestRequeue(entry.workload().clusterQueue());
    }
  }

  private void requestRequeue(String clusterQueue) {
    requeueTimer.request(rootCohorts.rootOf(clusterQueue));
  }

  /** The usage or weight of LocalQueues has changed, which may bring another head forward. */
  public void localQueueUsageChanged(String clusterQueue) {
    PendingQueue queue = pending.queue(clusterQueue);
    if (queue != null && queue.spec().sharesByUsage()) {
      queue.retryHead();
      rootCohorts.markChanged(clusterQueue);
    }
  }

  /** A workload holds quota, or what it holds has changed. */
  public void quotaReserved(QuotaReservation reservation) {
    Optional<QuotaReservation> before = ledger.reservation(reservation.path());
    workloadLeft(reservation.path());
    if (before.isPresent() && before.get().equals(reservation)) {
      return;
    }
    ledger.hold(reservation);
    if (before.isEmpty() || !before.get().takesAsMuchAs(reservation)) {
      rootCohorts.quotaTaken(reservation.clusterQueue());
    }
    before.ifPresent(held -> noteChange(held, reservation));
  }

  /**
   * Inadmissible workloads are requeued if there is more quota for them, or if a victim turns out
   * not to be evicted although a preemptor relies on it.
   */
  private void noteChange(QuotaReservation before, QuotaReservation now) {
    boolean stays = before.evicted() && !now.evicted();
    if (stays) {
      preemptions.forget(now);
    }
    if (stays || before.givesBackAs(now)) {
      requestRequeue(before.clusterQueue());
    }
  }

  /** A workload holds no quota any more, and is not pending either. */
  public void quotaReleased(String path) {
    release(path).ifPresent(preemptions::forget);
  }

  private Optional<QuotaReservation> release(String path) {
    podsReady(path, true);
    Optional<QuotaReservation> released = ledger.release(path);
    released.ifPresent(held -> requestRequeue(held.clusterQueue()));
    return released;
  }

  /** The pods of an admitted workload are ready, or not. */
  public void podsReady(String path, boolean ready) {
    boolean changed = ready ? notReady.remove(path) : notReady.add(path);
    if (changed && rules.blockUntilPodsReady() && notReady.isEmpty()) {
      requeueAll();
    }
  }

  private void requeueAll() {
    pending.queues().values().forEach(PendingQueue::requeueAll);
    rootCohorts.markAllChanged();
  }

  /** How many workloads are pending in the queues. */
  public QueueLengths lengths() {
    return pending.lengths();
  }

  /** Whether a workload is pending and does not back off. */
  public boolean isPending(String path) {
    return pending.contains(path);
  }

  /** Whether a workload is pending in a queue that admits workloads. */
  public boolean isAdmissible(String path) {
    PendingEntry entry = pending.entry(path);
    return entry != null && ledger.admits(entry.workload().clusterQueue());
  }

  /** The pending workloads of a queue, in order. */
  public List<PendingWorkload> pendingIn(String clusterQueue) {
    return pending.inOrder(clusterQueue);
  }

  /** Why a workload is pending, as things stand; empty if it is not. */
  public Optional<Explanation> explain(String path) {
    return pending.explain(
        path,
        workload -> ledger.admits(workload.clusterQueue()),
        entry -> new Explainer(ledger, pending.queue(entry), rules, namespaces).explain(entry));
  }

  /** When to decide again although no change is reported. */
  public Optional<Instant> nextRequeue() {
    return requeueTimer.next();
  }

  /** Decides all that can be decided now; no cycle starts after {@code max} decisions. */
  public List<AdmissionDecision> decide(Instant now, int max) {
    requeueTimer.due(now).forEach(rootCohort -> rootCohorts.requeue(rootCohort, precheck::requeue));
    var cycle = new AdmissionCycle(ledger, rules, nominator, precheck, notReady, now);
    List<AdmissionDecision> decisions = cycle.decide(rootCohorts.changed(), max);
    preemptions.note(decisions);
    rootCohorts.removeTried();
    for (PendingEntry entry : cycle.admitted()) {
      pending.admitted(entry);
      entry.workload().replaces().ifPresent(slice -> notReady.remove(slice.path()));
    }
    return decisions;
  }
}
