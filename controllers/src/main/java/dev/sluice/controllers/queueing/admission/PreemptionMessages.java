package dev.sluice.controllers.queueing.admission;

import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.preemption.Target;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.Cohort;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;

/** The messages of the conditions and events of preempted workloads. */
public final class PreemptionMessages {
  private static final int MAX_LEVELS = 100;
  private static final String PREEMPTOR = "; preemptor path: ";
  private static final String VICTIM = "; preemptee path: ";

  private PreemptionMessages() {}

  static String message(AdmissionDecision.Preempt decision, Target target, Cluster cluster) {
    if (target.cause() == Target.Cause.FLAVOR_MIGRATION) {
      return "Evicted to accommodate a workload (UID: %s) due to %s"
          .formatted(orUnknown(decision.workload().uid()), target.cause().text());
    }
    return "Preempted to accommodate a workload (UID: %s, JobUID: %s) due to %s"
            .formatted(
                orUnknown(decision.workload().uid()),
                orUnknown(decision.workload().owner()),
                target.cause().text())
        + PREEMPTOR
        + path(decision.workload().clusterQueue(), cluster)
        + VICTIM
        + path(target.victim().clusterQueue(), cluster);
  }

  /** The ClusterQueue of the preemptor that a message names, or empty. */
  public static String preemptingQueue(String message) {
    int begin = message.indexOf(PREEMPTOR);
    int end = message.indexOf(VICTIM);
    if (begin < 0 || end < begin) {
      return "";
    }
    String path = message.substring(begin + PREEMPTOR.length(), end);
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The priorities of preemptor and victim, with their boosts. */
  static String priorities(AdmissionDecision.Preempt decision, Target target, Cluster cluster) {
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

  /** The name of a queue, after those of its ancestor cohorts. */
  private static String path(String queue, Cluster cluster) {
    String parent =
        cluster
            .get(Kinds.CLUSTER_QUEUE.key(queue))
            .map(object -> new ClusterQueue(object).cohort())
            .orElse("");
    String path = "/" + queue;
    for (int level = 0; !parent.isEmpty() && level < MAX_LEVELS; level++) {
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
