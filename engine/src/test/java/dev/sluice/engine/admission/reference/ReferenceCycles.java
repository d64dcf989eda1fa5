package dev.sluice.engine.admission.reference;

import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.model.kueue.ResourceGroup.Quota;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Plain admission cycles for queues that preempt nothing, as in
 * docs/specification/admission-cycle.md#steps-of-a-cycle: the heads of all queues are nominated,
 * put in order, and processed one after the other; an entry that has to wait reserves for this
 * cycle what it may use, and is then marked inadmissible. Cycles follow each other until one
 * changes nothing.
 */
final class ReferenceCycles {
  private final ReferenceQuota quota;
  private final ReferencePreemption noPreemption;
  private final SortedMap<String, QueueSpec> queues = new TreeMap<>();
  private final SortedMap<String, TreeSet<PendingWorkload>> pending = new TreeMap<>();
  private final List<PendingWorkload> admitted = new ArrayList<>();

  ReferenceCycles(ReferenceQuota quota, Collection<QueueSpec> specs) {
    this.quota = quota;
    this.noPreemption = new ReferencePreemption(quota, PreemptionRules.CLASSICAL, specs);
    specs.stream().filter(QueueSpec::active).forEach(queue -> queues.put(queue.name(), queue));
  }

  void addPending(PendingWorkload workload) {
    pending.computeIfAbsent(workload.clusterQueue(), _ -> new TreeSet<>()).add(workload);
  }

  /** The admitted workloads, in that order. */
  List<PendingWorkload> run() {
    boolean changed = true;
    while (changed) {
      changed = cycle();
    }
    return admitted;
  }

  private record Entry(
      QueueSpec queue, PendingWorkload workload, ReferenceAssignment.Found found) {}

  private boolean cycle() {
    var entries = new ArrayList<Entry>();
    for (QueueSpec queue : queues.values()) {
      TreeSet<PendingWorkload> queued = pending.getOrDefault(queue.name(), new TreeSet<>());
      if (!queued.isEmpty()) {
        var assignment = new ReferenceAssignment(quota, noPreemption, queue, queued.first(), true);
        entries.add(new Entry(queue, queued.first(), assignment.assign(Map.of())));
      }
    }
    entries.sort(
        Comparator.comparingInt((Entry entry) -> entry.found().grade().level())
            .thenComparing(Entry::workload));
    var reserves = new ArrayList<Runnable>();
    boolean changed = false;
    for (Entry entry : entries) {
      changed |= process(entry, reserves);
    }
    reserves.forEach(Runnable::run);
    return changed;
  }

  private boolean process(Entry entry, List<Runnable> reserves) {
    return switch (entry.found().grade().mode()) {
      case NO_FIT -> markInadmissible(entry);
      case NO_CANDIDATES -> {
        reserve(entry, reserves);
        yield markInadmissible(entry);
      }
      case FIT -> fits(entry) && admit(entry);
      case PREEMPT, RECLAIM -> throw new IllegalStateException("no workload is preempted here");
    };
  }

  private boolean markInadmissible(Entry entry) {
    return !entry.queue().strict() && leave(entry);
  }

  private boolean leave(Entry entry) {
    return pending.getOrDefault(entry.queue().name(), new TreeSet<>()).remove(entry.workload());
  }

  private boolean fits(Entry entry) {
    return entry.found().usage().entrySet().stream()
        .allMatch(
            requested -> requested.getValue() <= quota.available(node(entry), requested.getKey()));
  }

  private boolean admit(Entry entry) {
    entry
        .found()
        .usage()
        .forEach(
            (flavorResource, amount) -> quota.use(entry.queue().name(), flavorResource, amount));
    admitted.add(entry.workload());
    return leave(entry);
  }

  private void reserve(Entry entry, List<Runnable> reserves) {
    entry
        .found()
        .usage()
        .forEach((flavorResource, amount) -> {
          long reserved = Math.max(0, Math.min(amount, reservable(entry, flavorResource)));
          quota.use(entry.queue().name(), flavorResource, reserved);
          reserves.add(() -> quota.use(entry.queue().name(), flavorResource, -reserved));
        });
  }

  private long reservable(Entry entry, FlavorResource flavorResource) {
    Quota own = entry.queue().quota().quotas().getOrDefault(flavorResource, Quota.NONE);
    long home = own.nominal() - quota.usage(node(entry), flavorResource);
    if (entry.found().grade().level() == 0) {
      return home;
    }
    return own.borrowingLimit().isPresent()
        ? home + own.borrowingLimit().getAsLong()
        : Long.MAX_VALUE;
  }

  private static ReferenceQuota.Node node(Entry entry) {
    return ReferenceQuota.queue(entry.queue().name());
  }
}
