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
    SortedMap<String, Long> overdrawn =
        QueueCache.rebuilt(cluster, configuration).read(Invariants::overdrawn);
    var tolerated = new TreeMap<String, Long>();
    var broken = new ArrayList<String>();
    overdrawn.forEach((what, by) -> {
      if (changed || by <= excused.getOrDefault(what, 0L)) {
        tolerated.put(what, by);
      } else {
        broken.add("%s is over its limit by %d".formatted(what, by));
      }
    });
    excused = tolerated;
    return broken;
  }

  private static List<Object> rule(ApiObject object) {
    return List.of(object.kind(), object.uid(), object.spec());
  }
}
