package dev.sluice.controllers.queueing.integration.pod;

import dev.sluice.controllers.queueing.PodDemand;
import dev.sluice.controllers.queueing.RoleHash;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who is who in a group of pods.
 *
 * <p>A pod counts if it succeeded or may still run. Of those of one role, as many are kept as the
 * workload has pods of that role, or as the group has in all while there is no workload: those that
 * run before those that wait, older before newer. The rest is too many. A pod that failed is kept,
 * to show that it must be replaced, until it has been.
 *
 * @param kept the pods that make the group, by name
 * @param excess pods that count and are too many
 * @param replaced failed pods whose place another one has taken
 * @param strangers pods whose role the workload does not have, or has for smaller ones only
 * @param absent how many pods the workload waits for
 * @param only the one role that all pods of a group have that is admitted before they are there;
 *     empty if each has its own
 */
public record PodGroupMembers(
    List<Pod> kept,
    List<Pod> excess,
    List<Pod> replaced,
    List<Pod> strangers,
    int absent,
    String only) {
  private static final Comparator<Pod> KEEP_FIRST =
      Comparator.comparing(PodIntegration::isGated)
          .thenComparing(pod -> pod.object().created().orElse(Instant.MAX))
          .thenComparing(Pod::name);

  /** The pods as they stand to the workload of their group. */
  static PodGroupMembers of(List<Pod> pods, Workload workload, PodDemand demand) {
    var podSets = new TreeMap<String, PodSet>();
    workload.podSets().forEach(podSet -> podSets.put(podSet.name(), podSet));
    String only = isFast(pods) && podSets.size() == 1 ? podSets.firstKey() : "";
    var roles = new TreeMap<String, List<Pod>>();
    var strangers = new ArrayList<Pod>();
    for (Pod pod : pods) {
      String role = role(pod, only);
      PodSet podSet = podSets.get(role);
      if (podSet != null && mayJoin(podSet, pod, demand)) {
        roles.computeIfAbsent(role, _ -> new ArrayList<>()).add(pod);
      } else if (counts(pod)) {
        strangers.add(pod);
      }
    }
    var collected = new Collected();
    podSets.forEach(
        (role, podSet) -> collected.add(roles.getOrDefault(role, List.of()), podSet.count(), 0));
    return collected.census(strangers, only);
  }

  /**
   * Quota was given for pods as the pod set has them. Where pods name their role themselves, or
   * have it because their group is admitted before they are there, a larger one must not run on it.
   */
  private static boolean mayJoin(PodSet podSet, Pod pod, PodDemand demand) {
    return !PodIntegration.isGated(pod)
        || demand.covers(pod.object().namespace(), podSet.template().spec(), pod.spec());
  }

  /** The pods of a group that has no workload yet: nobody waits for what has failed. */
  public static PodGroupMembers of(List<Pod> pods, int total) {
    var collected = new Collected();
    collected.add(pods, total, Integer.MAX_VALUE);
    String only =
        pods.stream()
            .filter(pod -> isFast(pods) && counts(pod))
            .findFirst()
            .map(first -> RoleHash.of(first.object()))
            .orElse("");
    return collected.census(List.of(), only);
  }

  private static SortedMap<String, List<Pod>> byRole(List<Pod> pods, String only) {
    var roles = new TreeMap<String, List<Pod>>();
    pods.forEach(
        pod -> roles.computeIfAbsent(role(pod, only), ignored -> new ArrayList<>()).add(pod));
    return roles;
  }

  private static String role(Pod pod, String only) {
    return only.isEmpty() ? RoleHash.of(pod.object()) : only;
  }

  /** The pod set that a pod belongs to. */
  String role(Pod pod) {
    return role(pod, only);
  }

  /** Whether a pod has done its part, or still can. */
  public static boolean counts(Pod pod) {
    return pod.phase() == Pod.Phase.SUCCEEDED || pod.isActive();
  }

  static boolean isFast(List<Pod> pods) {
    return pods.stream()
        .anyMatch(
            pod -> pod.object().annotation(KueueNames.POD_GROUP_FAST_ADMISSION).equals("true"));
  }

  /** The pods that count, as pod sets: one a role, or all the group is going to have. */
  List<PodSet> podSets(int total) {
    var podSets = new ArrayList<PodSet>();
    byRole(kept.stream().filter(PodGroupMembers::counts).toList(), only)
        .forEach((role, members) ->
            podSets.add(
                PodSet.of(
                    role,
                    only.isEmpty() ? members.size() : total,
                    PodTemplate.of(members.getFirst()))));
    return podSets;
  }

  /** Collects the roles of a group. */
  private static final class Collected {
    private final List<Pod> kept = new ArrayList<>();
    private final List<Pod> excess = new ArrayList<>();
    private final List<Pod> replaced = new ArrayList<>();
    private int absent;

    /** Adds a role; at least {@code leaving} of its failed pods are not waited for. */
    void add(List<Pod> role, int count, int leaving) {
      List<Pod> counted = role.stream().filter(PodGroupMembers::counts).sorted(KEEP_FIRST).toList();
      List<Pod> failed =
          role.stream().filter(pod -> !PodGroupMembers.counts(pod)).sorted(KEEP_FIRST).toList();
      int most = Math.min(count, counted.size());
      kept.addAll(counted.subList(0, most));
      excess.addAll(counted.subList(most, counted.size()));
      absent += count - most;
      int stale = Math.max(leaving, failed.size() + counted.size() - count);
      int gone = Math.max(0, Math.min(failed.size(), stale));
      replaced.addAll(failed.subList(0, gone));
      kept.addAll(failed.subList(gone, failed.size()));
    }

    PodGroupMembers census(List<Pod> strangers, String only) {
      kept.sort(Comparator.comparing(Pod::name));
      return new PodGroupMembers(
          List.copyOf(kept),
          List.copyOf(excess),
          List.copyOf(replaced),
          List.copyOf(strangers),
          absent,
          only);
    }
  }
}
