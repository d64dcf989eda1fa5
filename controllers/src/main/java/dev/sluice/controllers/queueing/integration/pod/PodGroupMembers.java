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
 * The members of a pod group, by the part they have in it.
 *
 * <p>A pod counts if it succeeded or may still run. Of each role as many pods are kept as the
 * workload has of that role, or, without a workload, as the group has in total: running before
 * gated pods, older before newer. The rest is excess. A failed pod is kept until it is replaced, to
 * show that a replacement is needed.
 *
 * @param kept the pods that form the group, by name
 * @param excess the pods that count, above the number of their role
 * @param replaced the failed pods that have a replacement
 * @param strangers the pods whose role the workload does not have, or only with smaller requests
 * @param absent the number of pods that the workload waits for
 * @param commonRole the role of all pods of a group with fast admission; empty if each has its own
 */
public record PodGroupMembers(
    List<Pod> kept,
    List<Pod> excess,
    List<Pod> replaced,
    List<Pod> strangers,
    int absent,
    String commonRole) {
  private static final Comparator<Pod> KEEP_FIRST =
      Comparator.comparing(PodIntegration::isGated)
          .thenComparing(pod -> pod.object().created().orElse(Instant.MAX))
          .thenComparing(Pod::name);

  /** The members of a group with a workload. */
  static PodGroupMembers of(List<Pod> pods, Workload workload, PodDemand demand) {
    var podSets = new TreeMap<String, PodSet>();
    workload.podSets().forEach(podSet -> podSets.put(podSet.name(), podSet));
    String commonRole = isFast(pods) && podSets.size() == 1 ? podSets.firstKey() : "";
    var roles = new TreeMap<String, List<Pod>>();
    var strangers = new ArrayList<Pod>();
    for (Pod pod : pods) {
      String role = role(pod, commonRole);
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
    return collected.members(strangers, commonRole);
  }

  /**
   * Quota was reserved for pods like those of the pod set. A pod whose role comes from an
   * annotation or from fast admission must not request more.
   */
  private static boolean mayJoin(PodSet podSet, Pod pod, PodDemand demand) {
    return !PodIntegration.isGated(pod)
        || demand.covers(pod.object().namespace(), podSet.template().spec(), pod.spec());
  }

  /** The members of a group without a workload, in which no failed pod needs a replacement. */
  public static PodGroupMembers of(List<Pod> pods, int total) {
    var collected = new Collected();
    collected.add(pods, total, Integer.MAX_VALUE);
    String commonRole =
        pods.stream()
            .filter(pod -> isFast(pods) && counts(pod))
            .findFirst()
            .map(first -> RoleHash.of(first.object()))
            .orElse("");
    return collected.members(List.of(), commonRole);
  }

  private static SortedMap<String, List<Pod>> byRole(List<Pod> pods, String commonRole) {
    var roles = new TreeMap<String, List<Pod>>();
    pods.forEach(
        pod -> roles.computeIfAbsent(role(pod, commonRole), ignored -> new ArrayList<>()).add(pod));
    return roles;
  }

  private static String role(Pod pod, String commonRole) {
    return commonRole.isEmpty() ? RoleHash.of(pod.object()) : commonRole;
  }

  /** The role of a pod, which is the name of its pod set. */
  String role(Pod pod) {
    return role(pod, commonRole);
  }

  /** Whether a pod has succeeded, or may still run. */
  public static boolean counts(Pod pod) {
    return pod.phase() == Pod.Phase.SUCCEEDED || pod.isActive();
  }

  /**
   * The number of pods that must be replaced. A group with fast admission starts without all its
   * pods, but not without any.
   */
  int toReplace() {
    boolean fast = isFast(kept) || isFast(strangers);
    return fast && kept.stream().anyMatch(PodGroupMembers::counts) ? 0 : absent;
  }

  static boolean isFast(List<Pod> pods) {
    return pods.stream()
        .anyMatch(
            pod -> pod.object().annotation(KueueNames.POD_GROUP_FAST_ADMISSION).equals("true"));
  }

  /** The pods that count, as pod sets: one for each role, or one with the total count. */
  List<PodSet> podSets(int total) {
    var podSets = new ArrayList<PodSet>();
    byRole(kept.stream().filter(PodGroupMembers::counts).toList(), commonRole)
        .forEach((role, members) ->
            podSets.add(
                PodSet.of(
                    role,
                    commonRole.isEmpty() ? members.size() : total,
                    PodTemplate.of(members.getFirst()))));
    return podSets;
  }

  /** The members of a group while roles are added. */
  private static final class Collected {
    private final List<Pod> kept = new ArrayList<>();
    private final List<Pod> excess = new ArrayList<>();
    private final List<Pod> replaced = new ArrayList<>();
    private int absent;

    /** Adds a role; at least {@code unneeded} of its failed pods need no replacement. */
    void add(List<Pod> role, int count, int unneeded) {
      List<Pod> counted = role.stream().filter(PodGroupMembers::counts).sorted(KEEP_FIRST).toList();
      List<Pod> failed =
          role.stream().filter(pod -> !PodGroupMembers.counts(pod)).sorted(KEEP_FIRST).toList();
      int present = Math.min(count, counted.size());
      kept.addAll(counted.subList(0, present));
      excess.addAll(counted.subList(present, counted.size()));
      absent += count - present;
      int stale = Math.max(unneeded, failed.size() + counted.size() - count);
      int gone = Math.max(0, Math.min(failed.size(), stale));
      replaced.addAll(failed.subList(0, gone));
      kept.addAll(failed.subList(gone, failed.size()));
    }

    PodGroupMembers members(List<Pod> strangers, String commonRole) {
      kept.sort(Comparator.comparing(Pod::name));
      return new PodGroupMembers(
          List.copyOf(kept),
          List.copyOf(excess),
          List.copyOf(replaced),
          List.copyOf(strangers),
          absent,
          commonRole);
    }
  }
}
