package dev.sluice.controllers.queueing.admission;

import dev.sluice.engine.admission.Decision;
import dev.sluice.engine.preemption.Target;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.Cohort;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;

/** What is said of a workload that gives way to another. */
final class Preempting {
  private static final int MOST_LEVELS = 100;

  private Preempting() {}

  static String message(Decision.Preempt decision, Target target, Cluster cluster) {
    return ("Preempted to accommodate a workload (UID: %s, JobUID: %s) due to %s;"
            + " preemptor path: %s; preemptee path: %s")
        .formatted(
            orUnknown(decision.workload().uid()),
            orUnknown(decision.workload().owner()),
            target.cause().text(),
            path(decision.workload().clusterQueue(), cluster),
            path(target.victim().clusterQueue(), cluster));
  }

  /** By which priorities they were compared, and what boosts have added to them. */
  static String priorities(Decision.Preempt decision, Target target, Cluster cluster) {
    var preemptor = decision.workload();
    var victim = target.victim();
    return "; preemptor effective priority: %s; preemptee effective priority: %s"
        .formatted(
            priority(preemptor.priority(), preemptor.namespace(), preemptor.name(), cluster),
            priority(victim.priority(), victim.namespace(), victim.name(), cluster));
  }

  private static String priority(long effective, String namespace, String name, Cluster cluster) {
    long base =
        cluster
            .get(Kinds.WORKLOAD.key(namespace, name))
            .map(found -> (long) new Workload(found).priority())
            .orElse(effective);
    return "%d (base: %d, boost: %d)".formatted(effective, base, effective - base);
  }

  private static String orUnknown(String text) {
    return text.isEmpty() ? "UNKNOWN" : text;
  }

  /** The queue's name after those of all cohorts above it. */
  private static String path(String queue, Cluster cluster) {
    String parent =
        cluster
            .get(Kinds.CLUSTER_QUEUE.key(queue))
            .map(object -> new ClusterQueue(object).cohort())
            .orElse("");
    String path = "/" + queue;
    for (int level = 0; !parent.isEmpty() && level < MOST_LEVELS; level++) {
      path = "/" + parent + path;
      parent =
          cluster
              .get(Kinds.COHORT.key(parent))
              .map(object -> new Cohort(object).parent())
              .orElse("");
    }
    return path;
  }
}
