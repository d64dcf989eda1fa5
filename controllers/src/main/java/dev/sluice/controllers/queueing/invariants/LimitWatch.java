package dev.sluice.controllers.queueing.invariants;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.engine.admission.Invariants;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The invariant that no ClusterQueue and no Cohort uses more than its limits, at any level of the
 * quota tree.
 *
 * <p>An administrator may cut a quota below its usage: the excess may stay, but not grow. So the
 * watch remembers the excess at the first check and whenever the quotas change.
 *
 * <p>Threads: one owner.
 */
public final class LimitWatch {
  private final Cluster cluster;
  private final Configuration configuration;
  private List<Object> rules = List.of();
  private SortedMap<String, Long> knownExcess = new TreeMap<>();

  public LimitWatch(Cluster cluster, Configuration configuration) {
    this.cluster = cluster;
    this.configuration = configuration;
  }

  /** The quotas that are exceeded and must not be. */
  public List<String> look() {
    List<Object> current =
        Stream.of(Kinds.CLUSTER_QUEUE, Kinds.COHORT)
            .flatMap(kind -> cluster.list(kind).stream())
            .<Object>map(LimitWatch::rule)
            .toList();
    boolean changed = !current.equals(rules);
    rules = current;
    SortedMap<String, Long> overdrawn =
        QueueCache.rebuilt(cluster, configuration).read(Invariants::overdrawn);
    var tolerated = new TreeMap<String, Long>();
    var breaches = new ArrayList<String>();
    overdrawn.forEach((quota, excess) -> {
      if (changed || excess <= knownExcess.getOrDefault(quota, 0L)) {
        tolerated.put(quota, excess);
      } else {
        breaches.add("%s is over its limit by %d".formatted(quota, excess));
      }
    });
    knownExcess = tolerated;
    return breaches;
  }

  private static List<Object> rule(ApiObject object) {
    return List.of(object.kind(), object.uid(), object.spec());
  }
}
