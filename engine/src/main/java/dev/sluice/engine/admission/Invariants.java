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
 * What must hold of {@link AdmissionQueues} between any two calls, checked in one pass over
 * everybody who waits and holds. It only looks.
 */
public final class Invariants {
  private Invariants() {}

  /** What is wrong, in words; nothing if all is well. */
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
   * Who waits though it would be admitted at once. Where somebody is on the way out, others may
   * wait for longer: whoever he gives way to keeps its place in front until he is gone.
   *
   * @param rebuilt queues that were told how things stand and have decided nothing yet; asking them
   *     changes them
   * @param most how many are found at most
   */
  public static List<String> overlooked(AdmissionQueues rebuilt, Instant now, int most) {
    Set<String> unsettled = new LinkedHashSet<>();
    for (QuotaReservation held : rebuilt.ledger().reservations()) {
      if (held.evicted()) {
        unsettled.add(family(rebuilt, held.clusterQueue()));
      }
    }
    var found = new ArrayList<String>();
    for (AdmissionDecision decision : rebuilt.decide(now, most)) {
      if (decision instanceof AdmissionDecision.Admit(PendingWorkload workload, _, _, _)
          && !unsettled.contains(family(rebuilt, workload.clusterQueue()))) {
        found.add(
            "Workload %s waits, but fits into ClusterQueue %s"
                .formatted(workload.path(), workload.clusterQueue()));
      }
    }
    return found;
  }

  /** What a queue shares quota with. */
  private static String family(AdmissionQueues queues, String queue) {
    return queues.ledger().tree().queue(queue).map(QuotaNode::family).orElse("");
  }

  private static void checkQueue(QuotaNode node, QuotaLedger ledger, List<String> found) {
    Collection<QuotaReservation> held = ledger.reservations(node.name());
    var sums = new TreeMap<FlavorResource, BigInteger>();
    held.forEach(one ->
        one.usage()
            .amounts()
            .forEach((of, amount) -> sums.merge(of, BigInteger.valueOf(amount), BigInteger::add)));
    sums.forEach((of, sum) -> compare(node, of, sum, found));
    node.known().forEach(of -> compare(node, of, sums.getOrDefault(of, BigInteger.ZERO), found));
  }

  private static void checkCohort(QuotaNode node, List<String> found) {
    for (FlavorResource of : node.known()) {
      BigInteger sum = BigInteger.ZERO;
      for (List<QuotaNode> children : List.of(node.queues(), node.cohorts())) {
        for (QuotaNode child : children) {
          sum = sum.add(seenAbove(child, of));
        }
      }
      compare(node, of, sum, found);
    }
    var shares = new ArrayList<Share>();
    node.queues().forEach(child -> shares.add(child.share()));
    node.cohorts().forEach(child -> shares.add(child.share()));
    if (!isTotallyOrdered(shares)) {
      found.add("the shares below %s have no order: %s".formatted(node.path(), shares));
    }
  }

  /** What of its usage a node does not keep to itself. */
  private static BigInteger seenAbove(QuotaNode node, FlavorResource of) {
    long kept = node.localQuota(of);
    return kept == Amounts.UNLIMITED
        ? BigInteger.ZERO
        : node.exactUsage(of).subtract(BigInteger.valueOf(kept)).max(BigInteger.ZERO);
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
      QuotaNode node, FlavorResource of, BigInteger want, List<String> found) {
    BigInteger usage = node.exactUsage(of);
    if (!usage.equals(want)) {
      found.add("%s counts %d of %s instead of %d".formatted(node.path(), usage, of, want));
    }
  }

  /** Every workload is in exactly one place. */
  private static void checkPlaces(AdmissionQueues queues, List<String> found) {
    Set<String> seen = new LinkedHashSet<>();
    queues.ledger().reservations().forEach(held -> seen.add(held.path()));
    var waiting = new ArrayList<String>(queues.homeless());
    for (PendingQueue line : queues.lines()) {
      line.roster().items().forEach(item -> waiting.add(item.workload().path()));
      if (!line.isSound()) {
        found.add("the pending queue of " + line.queue().name() + " has lost a workload");
      }
    }
    for (String path : queues.resting()) {
      if (!seen.add(path)) {
        found.add(path + " backs off, but is also in another place");
      }
    }
    for (String path : waiting) {
      if (!seen.add(path)) {
        found.add(path + " is in two places");
      }
      if (!queues.isPending(path)) {
        found.add(path + " is pending, but the index does not have it");
      }
    }
  }

  /**
   * How far the queues and cohorts are beyond their limits, by path, flavor and resource. Quotas
   * that were cut, and reservations that others made, may bring them there; decisions may not.
   */
  public static SortedMap<String, Long> overdrawn(AdmissionQueues queues) {
    var found = new TreeMap<String, Long>();
    for (var nodes : List.of(queues.ledger().tree().queues(), queues.ledger().tree().cohorts())) {
      for (QuotaNode node : nodes) {
        for (FlavorResource of : node.known()) {
          if (node.overdrawn(of) > 0) {
            String what = node.path() + " " + of.flavor() + " " + of.resource();
            found.merge(what, node.overdrawn(of), Amounts::sum); // names are not unique
          }
        }
      }
    }
    return Collections.unmodifiableSortedMap(found);
  }
}
