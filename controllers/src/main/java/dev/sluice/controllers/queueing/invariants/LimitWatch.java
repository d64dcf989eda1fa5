package dev.sluice.controllers.queueing.invariants;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.admission.QueueBook;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.QuotaTree;
import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Watches the promise that no queue and no cohort uses more than its limits, at any level of the
 * quota tree.
 *
 * <p>Who cuts a quota below what is in use breaks nothing: what is over then may stay, but not
 * grow. So the watch remembers what was over when the rules changed, or when it first looked.
 *
 * <p>Threads: one owner.
 */
public final class LimitWatch {
  private final Cluster cluster;
  private final Configuration configuration;
  private List<Object> rules = List.of();
  private SortedMap<String, Long> excused = new TreeMap<>();

  public LimitWatch(Cluster cluster, Configuration configuration) {
    this.cluster = cluster;
    this.configuration = configuration;
  }

  /** Everything that is over its limit and must not be. */
  public List<String> look() {
    List<Object> current =
        Stream.of(Kinds.CLUSTER_QUEUE, Kinds.COHORT)
            .flatMap(kind -> cluster.list(kind).stream())
            .<Object>map(LimitWatch::rule)
            .toList();
    boolean changed = !current.equals(rules);
    rules = current;
    var tolerated = new TreeMap<String, Long>();
    var broken = new ArrayList<String>();
    for (Overrun overrun : overruns()) {
      if (changed || overrun.usage() <= excused.getOrDefault(overrun.what(), -1L)) {
        tolerated.put(overrun.what(), overrun.usage());
      } else {
        broken.add(
            "%s uses %d, over its limit of %d"
                .formatted(overrun.what(), overrun.usage(), overrun.limit()));
      }
    }
    excused = tolerated;
    return broken;
  }

  private static List<Object> rule(ApiObject object) {
    return List.of(object.kind(), object.uid(), object.spec());
  }

  private record Overrun(String what, long usage, long limit) {}

  private List<Overrun> overruns() {
    return QueueBook.rebuilt(cluster, configuration)
        .read(queues -> {
          QuotaTree tree = queues.ledger().tree();
          return Stream.concat(tree.cohorts().stream(), tree.queues().stream())
              .flatMap(node -> overruns(node).stream())
              .toList();
        });
  }

  private static List<Overrun> overruns(QuotaNode node) {
    var overruns = new ArrayList<Overrun>();
    for (FlavorResource of : node.known()) {
      long limit = limit(node, of);
      if (node.usage(of) > limit) {
        String kind = node.isQueue() ? "ClusterQueue " : "Cohort ";
        String what = kind + node.name() + ", " + of.resource() + " of flavor " + of.flavor();
        overruns.add(new Overrun(what, node.usage(of), limit));
      }
    }
    return overruns;
  }

  /** A root has what is below it; any other node is only limited by what it may borrow. */
  private static long limit(QuotaNode node, FlavorResource of) {
    if (node.parent() == null) {
      return node.subtreeQuota(of);
    }
    return Amounts.sum(
        node.subtreeQuota(of), node.quota(of).borrowingLimit().orElse(Amounts.UNLIMITED));
  }
}
