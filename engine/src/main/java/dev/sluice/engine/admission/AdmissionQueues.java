package dev.sluice.engine.admission;

import dev.sluice.engine.admission.cycle.AdmissionCycle;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.cycle.Nominator;
import dev.sluice.engine.admission.pending.BackoffWorkloads;
import dev.sluice.engine.admission.pending.Headroom;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.admission.pending.RequeueTimer;
import dev.sluice.engine.admission.pending.RootCohorts;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.FlavorSpec;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.QuotaSpec;
import dev.sluice.model.LabelSelector;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * All queues: who waits in them, who holds their quota, and what is decided next.
 *
 * <p>It is told of every change and asked to {@link #decide}. What it decides it takes as done: an
 * admitted workload holds its quota from then on, a victim is on its way out. Who could not do what
 * was decided says so by telling how things stand ({@link #workloadPending}, {@link
 * #quotaReleased}). The same is built from the objects alone after a restart.
 *
 * <p>Threads: one owner.
 */
public final class AdmissionQueues {
  private final QuotaLedger ledger = new QuotaLedger();
  private final AdmissionRules rules;
  private final boolean thorough;
  private final Nominator nominator;
  private final Map<String, PendingQueue> lines = new LinkedHashMap<>();
  private final Map<String, PendingEntry> waiting = new LinkedHashMap<>();
  private final Map<String, PendingWorkload> homeless = new TreeMap<>();
  private final BackoffWorkloads resting = new BackoffWorkloads();
  private final Set<String> notReady = new LinkedHashSet<>();
  private final RequeueTimer wakeUps;
  private SortedMap<String, SortedMap<String, String>> namespaces = new TreeMap<>();
  private final RootCohorts families = new RootCohorts();

  public AdmissionQueues(AdmissionRules rules) {
    this(rules, false);
  }

  /**
   * @param thorough whether everybody who may go is looked at completely, at any cost. It decides
   *     the same, which tests compare.
   */
  AdmissionQueues(AdmissionRules rules, boolean thorough) {
    this.rules = rules;
    this.thorough = thorough;
    this.nominator = new Nominator(ledger, rules, !thorough);
    this.wakeUps = new RequeueTimer(rules.wakeUpInterval());
  }

  public QuotaLedger ledger() {
    return ledger;
  }

  /** Whoever is to be evicted from now on without need is told of, in words. */
  public void watch(Consumer<String> told) {
    nominator.watch(told);
  }

  /** Replaces the rules of all queues; everybody who waits is looked at anew. */
  public void queuesChanged(
      Collection<QueueSpec> queues, Collection<QuotaSpec> cohorts, Collection<FlavorSpec> flavors) {
    ledger.define(queues, cohorts, flavors);
    var gone = new LinkedHashSet<>(lines.keySet());
    for (QueueSpec queue : queues) {
      gone.remove(queue.name());
      var room = new Headroom(ledger, queue, rules.preemption().fair());
      boolean open = ledger.admits(queue.name());
      PendingQueue line = lines.get(queue.name());
      if (line == null) {
        lines.put(
            queue.name(),
            new PendingQueue(queue, room, open, this::serves, rules.preemption().byUsage()));
      } else {
        line.redefine(queue, room, open);
      }
    }
    for (String name : gone) {
      for (PendingEntry item : Objects.requireNonNull(lines.remove(name)).roster().items()) {
        homeless.put(item.path(), item.workload());
        waiting.remove(item.path());
      }
    }
    families.define(ledger.tree(), lines);
    List.copyOf(homeless.values()).forEach(this::workloadPending);
  }

  private PendingQueue line(PendingEntry item) {
    PendingQueue line = lines.get(item.workload().clusterQueue());
    if (line == null) {
      throw new IllegalStateException(item.path() + " waits in a queue that does not exist");
    }
    return line;
  }

  Collection<PendingQueue> lines() {
    return lines.values();
  }

  /** Those who wait for a queue that does not exist. */
  Collection<String> homeless() {
    return homeless.keySet();
  }

  /** Those who may not go yet. */
  Collection<String> resting() {
    return resting.paths();
  }

  /** The labels of all namespaces, by which queues choose whom they serve. */
  public void namespacesChanged(SortedMap<String, SortedMap<String, String>> labels) {
    if (!labels.equals(namespaces)) {
      namespaces = labels;
      wakeAll();
    }
  }

  /** A workload waits, or what it asks for has changed. */
  public void workloadPending(PendingWorkload workload) {
    String path = workload.path();
    giveBack(path);
    PendingEntry known = waiting.get(path);
    if (known != null && !known.workload().clusterQueue().equals(workload.clusterQueue())) {
      workloadLeft(path);
      known = null;
    }
    homeless.remove(path);
    resting.remove(path);
    PendingQueue line = lines.get(workload.clusterQueue());
    if (line == null) {
      homeless.put(path, workload);
      return;
    }
    families.stir(workload.clusterQueue());
    overtake(line, workload);
    if (known == null) {
      waiting.put(path, line.add(workload));
    } else if (!known.workload().equals(workload)) {
      waiting.put(path, line.replace(known, workload));
      dropClaim(known);
    }
  }

  /** A workload waits, but may not go until it is told of again. */
  public void workloadBackingOff(PendingWorkload workload) {
    workloadLeft(workload.path());
    quotaReleased(workload.path());
    resting.add(workload);
  }

  /** A workload no longer waits. */
  public void workloadLeft(String path) {
    homeless.remove(path);
    resting.remove(path);
    PendingEntry item = waiting.remove(path);
    if (item != null) {
      line(item).remove(item);
      families.stir(item.workload().clusterQueue());
      dropClaim(item);
    }
  }

  /** Only the head of a line claims quota; in a strict one somebody may come before it. */
  private void overtake(PendingQueue line, PendingWorkload newcomer) {
    if (line.queue().strict()) {
      line.head()
          .filter(head -> newcomer.compareTo(head.workload()) < 0)
          .ifPresent(head -> {
            dropClaim(head);
            head.setClaims(false);
          });
    }
  }

  /** What a claim kept from others is there for them again, as if it had been given back. */
  private void dropClaim(PendingEntry gone) {
    if (gone.claims()) {
      wakeUps.request(families.of(gone.workload().clusterQueue()));
    }
  }

  /**
   * What LocalQueues used before, or their weight, has changed. Where they take turns in a queue it
   * may be another's, and whoever was first may have stopped all others.
   */
  public void localQueueUsageChanged(String queue) {
    PendingQueue line = lines.get(queue);
    if (line != null && line.queue().sharesByUsage()) {
      line.refresh();
      families.stir(queue);
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
      families.narrow(reservation.clusterQueue());
    }
    before.ifPresent(one -> noteChange(one, reservation));
  }

  /**
   * Those who wait look again if there is more for them, or if one who was to give way does not
   * know of it, and somebody relies on that.
   */
  private void noteChange(QuotaReservation before, QuotaReservation now) {
    boolean stays = before.evicted() && !now.evicted();
    if (stays) {
      forgetWhoGaveWay(now);
    }
    if (stays || before.givesBackAs(now)) {
      wakeUps.request(families.of(before.clusterQueue()));
    }
  }

  /** A workload holds nothing any more, and does not wait for it either. */
  public void quotaReleased(String path) {
    giveBack(path).ifPresent(this::forgetWhoGaveWay);
  }

  private Optional<QuotaReservation> giveBack(String path) {
    podsReady(path, true);
    Optional<QuotaReservation> held = ledger.release(path);
    held.ifPresent(one -> wakeUps.request(families.of(one.clusterQueue())));
    return held;
  }

  /** Says whether the pods of an admitted workload are ready. */
  public void podsReady(String path, boolean ready) {
    boolean changed = ready ? notReady.remove(path) : notReady.add(path);
    if (changed && rules.oneByOne() && notReady.isEmpty()) {
      wakeAll();
    }
  }

  private void wakeAll() {
    lines.values().forEach(PendingQueue::wake);
    families.stirAll();
  }

  /** How many wait in a queue, and how many of them are put aside until something changes. */
  public record Length(int waiting, int inadmissible) {

    public Length plus(Length other) {
      return new Length(waiting + other.waiting, inadmissible + other.inadmissible);
    }
  }

  public Length length(String queue) {
    PendingQueue line = lines.get(queue);
    if (line == null) {
      return new Length(0, 0);
    }
    int rest = resting.in(queue).size();
    return new Length(line.roster().size() + rest, line.parked() + rest);
  }

  /** The same for each LocalQueue, as {@code namespace/name}, from which somebody waits. */
  public SortedMap<String, Length> lengthsByLocalQueue(String queue) {
    PendingQueue line = lines.get(queue);
    return line == null
        ? new TreeMap<>()
        : resting.addTo(line.roster().lengthsByLocalQueue(), queue);
  }

  /** How many workloads of a LocalQueue, as {@code namespace/name}, wait in a queue. */
  public int waiting(String queue, String localQueue) {
    PendingQueue line = lines.get(queue);
    return line == null ? 0 : line.roster().waiting(localQueue) + resting.from(localQueue, queue);
  }

  /** Whether a workload waits and may go. */
  public boolean isPending(String path) {
    return waiting.containsKey(path) || homeless.containsKey(path);
  }

  /** Whether a workload waits in a queue that admits workloads. */
  public boolean isAdmissible(String path) {
    PendingEntry item = waiting.get(path);
    return item != null && ledger.admits(item.workload().clusterQueue());
  }

  /** Those who wait in a queue, in order. */
  public List<PendingWorkload> pendingIn(String queue) {
    PendingQueue line = lines.get(queue);
    return line == null ? List.of() : line.inOrder(resting.in(queue));
  }

  /** Why a workload waits, as things stand; empty if it does not wait. */
  public Optional<Explanation> explain(String path) {
    PendingWorkload lost = homeless.get(path);
    if (lost != null) {
      return Optional.of(Explanation.withoutQueue(lost));
    }
    return Optional.ofNullable(waiting.get(path))
        .map(item -> new Explainer(ledger, line(item), rules, this::serves).explain(item))
        .or(() -> resting.find(path).map(this::explainRest));
  }

  private Explanation explainRest(PendingWorkload workload) {
    return Explanation.resting(workload, ledger.admits(workload.clusterQueue()));
  }

  /** When to decide again although nothing is told. */
  public Optional<Instant> nextWakeUp() {
    return wakeUps.next();
  }

  /** Decides all there is to decide now, or as much as {@code most} admissions. */
  public List<AdmissionDecision> decide(Instant now, int most) {
    wakeUps.due(now).forEach(family -> families.wake(family, thorough));
    var run =
        new AdmissionCycle(ledger, rules, nominator, thorough, families.stirred(), notReady, now);
    List<AdmissionDecision> decisions = run.decide(most);
    decisions.forEach(this::noteWhoGivesWay);
    families.settle();
    for (PendingEntry item : run.admitted()) {
      waiting.remove(item.path());
      item.workload().replaces().ifPresent(slice -> notReady.remove(slice.path()));
    }
    return decisions;
  }

  private void noteWhoGivesWay(AdmissionDecision decision) {
    if (decision instanceof AdmissionDecision.Preempt preempt) {
      for (Target target : preempt.victims()) {
        if (target.cause() == Target.Cause.FLAVOR_MIGRATION) {
          continue; // it is the same job that goes on elsewhere
        }
        QuotaReservation victim = target.victim();
        ledger
            .tree()
            .queue(victim.clusterQueue())
            .ifPresent(
                queue -> ledger.gaveWay().add(queue, victim.path(), preempt.workload().path()));
      }
    }
  }

  private void forgetWhoGaveWay(QuotaReservation beside) {
    ledger.tree().queue(beside.clusterQueue()).ifPresent(ledger.gaveWay()::forget);
  }

  private boolean serves(QueueSpec queue, PendingWorkload workload) {
    SortedMap<String, String> labels = namespaces.get(workload.namespace());
    return labels != null
        && queue
            .namespaces()
            .map(selector -> new LabelSelector(selector).matches(labels))
            .orElse(false);
  }
}
