package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.framework.Profile;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * A {@link Scheduler} for each {@link Profile}, all for the same cluster.
 *
 * <p>Threads: none; they belong to the owner of the cluster's state.
 */
public final class Schedulers {
  private final List<Scheduler> all;

  /**
   * @param profiles at least one; no name is in two of them
   * @see Scheduler#Scheduler(ClusterState, DisruptionBudgets, IntUnaryOperator, Profile)
   */
  public Schedulers(
      ClusterState cluster,
      DisruptionBudgets budgets,
      IntUnaryOperator random,
      List<Profile> profiles) {
    this.all =
        profiles.stream().map(profile -> new Scheduler(cluster, budgets, random, profile)).toList();
  }

  /** Whether one of the profiles has this scheduler name. */
  public boolean know(String schedulerName) {
    for (Scheduler scheduler : all) {
      if (scheduler.profile().names().contains(schedulerName)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The index of a pod's profile; only for pods whose scheduler name is {@linkplain #know known}.
   */
  public int number(PodFacts pod) {
    return number(pod.signature());
  }

  private int number(PodSignature signature) {
    int number = all.size() - 1;
    while (number > 0 && !all.get(number).profile().names().contains(signature.schedulerName())) {
      number--;
    }
    return number;
  }

  public Scheduler get(int number) {
    return all.get(number);
  }

  public Scheduler of(PodSignature signature) {
    return all.get(number(signature));
  }
}
