package dev.sluice.engine.queue;

import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.QuotaSpec;
import dev.sluice.engine.quota.QuotaTree;
import dev.sluice.engine.quota.Usage;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The quota ledger: the quota tree, the specs of its queues and flavors, and every reservation.
 *
 * <p>The usage in the tree is always the sum of the reservations, apart from what a decision in
 * progress adds and takes back.
 *
 * <p>Threads: one owner.
 */
public final class QuotaLedger {
  private SortedMap<String, QueueSpec> queues = new TreeMap<>();
  private final Map<String, QueueSpec> byName = new LinkedHashMap<>();
  private final Set<String> admitting = new LinkedHashSet<>();
  private SortedMap<String, FlavorSpec> flavors = new TreeMap<>();
  private SortedMap<String, QuotaSpec> cohorts = new TreeMap<>();
  private QuotaTree tree = QuotaTree.of(List.of(), List.of());
  private long version;
  private long releasedAt;
  private final Map<String, QuotaReservation> reservations = new LinkedHashMap<>();
  private final Map<String, Holders> byQueue = new LinkedHashMap<>();
  private final Map<String, SortedMap<String, QuotaReservation>> siblings = new LinkedHashMap<>();
  private final PreemptionHistory history = new PreemptionHistory();

  /** Grows with every change of a reservation or a spec. */
  public long version() {
    return version;
  }

  /** The version since which no quota was released. */
  public long releasedAt() {
    return releasedAt;
  }

  /** Replaces all specs; the reservations stay and are counted again. */
  public void define(
      Collection<QueueSpec> queueSpecs,
      Collection<QuotaSpec> cohortSpecs,
      Collection<FlavorSpec> flavorSpecs) {
    queues = new TreeMap<>();
    queueSpecs.forEach(queue -> queues.put(queue.name(), queue));
    cohorts = new TreeMap<>();
    cohortSpecs.forEach(cohort -> cohorts.put(cohort.name(), cohort));
    flavors = new TreeMap<>();
    flavorSpecs.forEach(flavor -> flavors.put(flavor.name(), flavor));
    byName.clear();
    byName.putAll(queues);
    tree = QuotaTree.of(queueSpecs.stream().map(QueueSpec::quota).toList(), cohortSpecs);
    admitting.clear();
    queues.values().stream()
        .filter(queue -> queue.active() && !tree.isAdrift(queue.name()))
        .forEach(queue -> admitting.add(queue.name()));
    reservations.values().forEach(this::count);
    byQueue.values().removeIf(Holders::isEmpty);
    history.forgetAll();
    version++;
    releasedAt = version;
  }

  private void count(QuotaReservation held) {
    Usage usage = held.usage();
    node(held)
        .ifPresent(node -> {
          for (int i = 0; i < usage.size(); i++) {
            node.cell(usage.what(i)).hold(held.priority(), usage.amount(i));
          }
        });
  }

  private void discount(QuotaReservation held) {
    Usage usage = held.usage();
    node(held)
        .ifPresent(node -> {
          for (int i = 0; i < usage.size(); i++) {
            node.cell(usage.what(i)).release(held.priority(), usage.amount(i));
          }
        });
  }

  private Optional<QuotaNode> node(QuotaReservation held) {
    return tree.queue(held.clusterQueue());
  }

  /** The recent preemptions. */
  public PreemptionHistory history() {
    return history;
  }

  public QuotaTree tree() {
    return tree;
  }

  public Collection<QueueSpec> queues() {
    return Collections.unmodifiableCollection(queues.values());
  }

  /** The cohorts that have a spec of their own. */
  public Collection<QuotaSpec> cohorts() {
    return Collections.unmodifiableCollection(cohorts.values());
  }

  public Optional<QueueSpec> queue(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  public Collection<FlavorSpec> flavors() {
    return Collections.unmodifiableCollection(flavors.values());
  }

  public Optional<FlavorSpec> flavor(String name) {
    return Optional.ofNullable(flavors.get(name));
  }

  /** Whether a queue admits workloads: it is active, and its cohorts form no cycle. */
  public boolean admits(String queue) {
    return admitting.contains(queue);
  }

  public Optional<QuotaReservation> reservation(String path) {
    return Optional.ofNullable(reservations.get(path));
  }

  public Collection<QuotaReservation> reservations() {
    return Collections.unmodifiableCollection(reservations.values());
  }

  /**
   * The reservations in a queue, in {@linkplain QuotaReservation#inPreemptionOrder preemption
   * order}.
   */
  public Collection<QuotaReservation> reservations(String queue) {
    Holders inQueue = byQueue.get(queue);
    return inQueue == null ? List.of() : inQueue.inOrder();
  }

  /** A live view of the reservations in a queue, valid until the specs are replaced. */
  public Holders holders(String queue) {
    return byQueue.computeIfAbsent(queue, _ -> new Holders());
  }

  /** The siblings of a workload that hold quota, by path; it may be among them. */
  public Collection<QuotaReservation> siblings(Sibling sibling) {
    return siblings.getOrDefault(sibling.parent(), Collections.emptySortedMap()).values();
  }

  /** Whether a workload in a queue is being evicted. */
  public boolean hasEvicted(String queue) {
    Holders inQueue = byQueue.get(queue);
    return inQueue != null && inQueue.hasEvicted();
  }

  /** Counts a reservation, in place of any that the same workload had. */
  public void hold(QuotaReservation reservation) {
    String path = reservation.path();
    QuotaReservation before = reservations.get(path);
    if (before != null && before.takesAsMuchAs(reservation)) {
      replace(before, reservation);
      return;
    }
    release(path);
    version++;
    reservations.put(path, reservation);
    addSibling(reservation);
    holders(reservation.clusterQueue()).add(reservation);
    count(reservation);
  }

  private void addSibling(QuotaReservation held) {
    held.sibling()
        .ifPresent(sibling ->
            siblings
                .computeIfAbsent(sibling.parent(), _ -> new TreeMap<>())
                .put(held.path(), held));
  }

  private void removeSibling(QuotaReservation held) {
    held.sibling()
        .ifPresent(sibling ->
            siblings.computeIfPresent(
                sibling.parent(),
                (_, all) -> {
                  all.remove(held.path());
                  return all.isEmpty() ? null : all;
                }));
  }

  /** The sums stay; only the order of preemption may change. */
  private void replace(QuotaReservation before, QuotaReservation after) {
    version++;
    reservations.put(after.path(), after);
    removeSibling(before);
    addSibling(after);
    Holders inQueue = holders(after.clusterQueue());
    inQueue.remove(before);
    inQueue.add(after);
  }

  /** Releases a workload's reservation, if it has one. */
  public Optional<QuotaReservation> release(String path) {
    QuotaReservation held = reservations.remove(path);
    if (held == null) {
      return Optional.empty();
    }
    version++;
    releasedAt = version;
    removeSibling(held);
    holders(held.clusterQueue()).remove(held);
    discount(held);
    return Optional.of(held);
  }
}
