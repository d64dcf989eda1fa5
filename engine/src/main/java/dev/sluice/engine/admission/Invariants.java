package dev.sluice.engine.admission;

import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Share;
import dev.sluice.model.Amounts;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The invariants of {@link AdmissionQueues} between any two calls, checked in one pass over all
 * pending workloads and reservations. It changes nothing.
 */
public final class Invariants {
  private Invariants() {}

  /** The violated invariants, in words. */
  public static List<String> violations(AdmissionQueues queues) {
    var found = new ArrayList<String>();
    QuotaLedger ledger = queues.ledger();
    for (QuotaNode node : ledger.tree().queues()) {
      checkQueue(node, ledger, found);
    }
    for (QuotaNode node : ledger.tree().cohorts()) {
      checkCohort(node, found);
    }
    checkPlaces(queues, found);
    return found;
  }

  /**
   * The workloads that are pending though they would be admitted at once. Below a root cohort with
   * evicted workloads, others may be pending for longer: a preemptor stays the head of its queue
   * until its victims are gone.
   *
   * @param rebuilt queues that know how things stand and have decided nothing yet; asking them
   *     changes them
   * @param max how many are found at most
   */
  public static List<String> overlooked(AdmissionQueues rebuilt, Instant now, int max) {
    Set<String> unsettled = new LinkedHashSet<>();
    for (QuotaReservation held : rebuilt.ledger().reservations()) {
      if (held.evicted()) {
        unsettled.add(rootCohort(rebuilt, held.clusterQueue()));
      }
    }
    var found = new ArrayList<String>();
    for (AdmissionDecision decision : rebuilt.decide(now, max)) {
      if (decision instanceof AdmissionDecision.Admit(PendingWorkload workload, _, _, _)
          && !unsettled.contains(rootCohort(rebuilt, workload.clusterQueue()))) {
        found.add(
            "Workload %s waits, but fits into ClusterQueue %s"
                .formatted(workload.path(), workload.clusterQueue()));
      }
    }
    return found;
  }

  /** The root cohort of a queue. */
  private static String rootCohort(AdmissionQueues queues, String queue) {
    return queues.ledger().tree().queue(queue).map(QuotaNode::rootName).orElse("");
  }

  private static void checkQueue(QuotaNode node, QuotaLedger ledger, List<String> found) {
    Collection<QuotaReservation> held = ledger.reservations(node.name());
    var sums = new TreeMap<FlavorResource, BigInteger>();
    held.forEach(reservation ->
        reservation
            .usage()
            .amounts()
            .forEach((flavorResource, amount) ->
                sums.merge(flavorResource, BigInteger.valueOf(amount), BigInteger::add)));
    sums.forEach((flavorResource, sum) -> compare(node, flavorResource, sum, found));
    for (FlavorResource known : node.known()) {
      compare(node, known, sums.getOrDefault(known, BigInteger.ZERO), found);
    }
  }

  private static void checkCohort(QuotaNode node, List<String> found) {
    for (FlavorResource known : node.known()) {
      BigInteger sum = BigInteger.ZERO;
      for (List<QuotaNode> children : List.of(node.queues(), node.cohorts())) {
        for (QuotaNode child : children) {
          sum = sum.add(seenAbove(child, known));
        }
      }
      compare(node, known, sum, found);
    }
    var shares = new ArrayList<Share>();
    node.queues().forEach(child -> shares.add(child.share()));
    node.cohorts().forEach(child -> shares.add(child.share()));
    if (!isTotallyOrdered(shares)) {
      found.add("the shares below %s have no order: %s".formatted(node.path(), shares));
    }
  }

  /** What of its usage a node does not keep to itself. */
  private static BigInteger seenAbove(QuotaNode node, FlavorResource flavorResource) {
    long kept = node.localQuota(flavorResource);
    return kept == Amounts.UNLIMITED
        ? BigInteger.ZERO
        : node.exactUsage(flavorResource).subtract(BigInteger.valueOf(kept)).max(BigInteger.ZERO);
  }

  /** Whether some values can be put into one order that agrees with every comparison of two. */
  static <T extends Comparable<T>> boolean isTotallyOrdered(List<T> values) {
    var inOrder = new ArrayList<T>();
    for (T value : values) {
      int place = 0;
      while (place < inOrder.size() && inOrder.get(place).compareTo(value) < 0) {
        place++;
      }
      inOrder.add(place, value);
    }
    for (int i = 0; i < inOrder.size(); i++) {
      for (int j = i; j < inOrder.size(); j++) {
        int order = inOrder.get(i).compareTo(inOrder.get(j));
        int opposite = inOrder.get(j).compareTo(inOrder.get(i));
        if (order > 0 || Integer.signum(opposite) != -Integer.signum(order)) {
          return false;
        }
      }
    }
    return true;
  }

  private static void compare(
      QuotaNode node, FlavorResource counted, BigInteger want, List<String> found) {
    BigInteger usage = node.exactUsage(counted);
    if (!usage.equals(want)) {
      found.add("%s counts %d of %s instead of %d".formatted(node.path(), usage, counted, want));
    }
  }

  /** Every workload is in exactly one place. */
  private static void checkPlaces(AdmissionQueues queues, List<String> found) {
    Set<String> seen = new LinkedHashSet<>();
    queues.ledger().reservations().forEach(held -> seen.add(held.path()));
    PendingWorkloads workloads = queues.pending();
    var pending = new ArrayList<String>(workloads.withoutQueue().keySet());
    for (PendingQueue queue : workloads.queues().values()) {
      queue.index().entries().forEach(entry -> pending.add(entry.workload().path()));
      if (!queue.isConsistent()) {
        found.add("ClusterQueue " + queue.spec().name() + " has lost a pending workload");
      }
    }
    for (String path : workloads.backingOff()) {
      if (!seen.add(path)) {
        found.add(path + " backs off, and is in another place");
      }
    }
    for (String path : pending) {
      if (!seen.add(path)) {
        found.add(path + " is in two places");
      }
      if (!queues.isPending(path)) {
        found.add(path + " is in a queue, but not known as pending");
      }
    }
  }

  /**
   * How far queues and cohorts are beyond their limits, by path, flavor and resource. Quotas that
   * were cut, and reservations that others made, may bring them there; decisions may not.
   */
  public static SortedMap<String, Long> overdrawn(AdmissionQueues queues) {
    var found = new TreeMap<String, Long>();
    for (var nodes : List.of(queues.ledger().tree().queues(), queues.ledger().tree().cohorts())) {
      for (QuotaNode node : nodes) {
        for (FlavorResource known : node.known()) {
          if (node.overdrawn(known) > 0) {
            String what = node.path() + " " + known.flavor() + " " + known.resource();
            found.merge(what, node.overdrawn(known), Amounts::sum); // names are not unique
          }
        }
      }
    }
    return Collections.unmodifiableSortedMap(found);
  }
}
