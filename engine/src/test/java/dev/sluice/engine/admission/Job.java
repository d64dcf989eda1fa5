package dev.sluice.engine.admission;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodNeeds;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.Precedence;
import dev.sluice.engine.queue.QueueNames;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.queue.WorkloadIdentity;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.Amounts;
import dev.sluice.model.core.node.NodeAffinity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A workload in a few words: in namespace {@code team}, with one pod set unless said otherwise.
 * Workloads are as old as their number says; their uid is their name.
 */
public record Job(
    String name,
    String queue,
    String localQueue,
    long priority,
    long since,
    long reservedAt,
    boolean evicted,
    List<PodSetRequest> podSets,
    Optional<PendingWorkload.Replaced> replaces) {
  public static final PodNeeds ANY_NODE =
      new PodNeeds(Amounts.NONE, new TreeMap<>(), NodeAffinity.NONE, List.of());

  /** A job that asks for so many gpus in one pod. */
  public static Job job(String name, String queue, long gpus) {
    return new Job(name, queue, "lq", 0, 0, 0, false, List.of(), Optional.empty())
        .pods("main", 1, Amounts.of("gpu", gpus));
  }

  public static Job empty(String name, String queue) {
    return new Job(name, queue, "lq", 0, 0, 0, false, List.of(), Optional.empty());
  }

  public Job pods(String podSet, int count, Amounts each) {
    return with(new PodSetRequest(podSet, count, count, each, ANY_NODE, ""));
  }

  public Job with(PodSetRequest podSet) {
    var more = new ArrayList<>(podSets);
    more.add(podSet);
    return new Job(name, queue, localQueue, priority, since, reservedAt, evicted, more, replaces);
  }

  public Job needs(PodNeeds needs) {
    PodSetRequest first = podSets.getFirst();
    return new Job(
            name, queue, localQueue, priority, since, reservedAt, evicted, List.of(), replaces)
        .with(
            new PodSetRequest(
                first.name(), first.count(), first.least(), first.perPod(), needs, first.group()));
  }

  public Job priority(long value) {
    return new Job(name, queue, localQueue, value, since, reservedAt, evicted, podSets, replaces);
  }

  public Job since(long second) {
    return new Job(
        name, queue, localQueue, priority, second, reservedAt, evicted, podSets, replaces);
  }

  public Job reservedAt(long second) {
    return new Job(name, queue, localQueue, priority, since, second, evicted, podSets, replaces);
  }

  public Job through(String lq) {
    return new Job(name, queue, lq, priority, since, reservedAt, evicted, podSets, replaces);
  }

  public Job alreadyEvicted() {
    return new Job(name, queue, localQueue, priority, since, reservedAt, true, podSets, replaces);
  }

  public Job replacing(Job slice) {
    var replaced =
        new PendingWorkload.Replaced("team/" + slice.name, slice.reservation("f").usage());
    return new Job(
        name,
        queue,
        localQueue,
        priority,
        since,
        reservedAt,
        evicted,
        podSets,
        Optional.of(replaced));
  }

  public PendingWorkload pending() {
    return new PendingWorkload(
        new WorkloadIdentity("team", name, name),
        "",
        new QueueNames(localQueue, queue),
        new Precedence(priority, Instant.ofEpochSecond(since)),
        podSets,
        replaces,
        List.of(),
        Optional.empty(),
        true);
  }

  /** The same job with quota of one flavor for all it asks for. */
  public QuotaReservation reservation(String flavor) {
    var sums = new TreeMap<FlavorResource, Long>();
    for (PodSetRequest podSet : podSets) {
      podSet
          .total()
          .forEach((resource, amount) ->
              sums.merge(new FlavorResource(flavor, resource), amount, Amounts::sum));
    }
    return new QuotaReservation(
        new WorkloadIdentity("team", name, name),
        "",
        new QueueNames(localQueue, queue),
        new Precedence(priority, Instant.ofEpochSecond(since)),
        Instant.ofEpochSecond(reservedAt),
        new Usage(sums),
        QuotaReservation.State.of(true, evicted),
        Optional.empty());
  }
}
