package dev.sluice.controllers.queueing.integration.pod;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;

/** The rules that the pods of a group must meet before the group can be queued. */
final class GroupRules {
  private static final int MAX_ROLES = 18;

  private final Configuration configuration;

  GroupRules(Configuration configuration) {
    this.configuration = configuration;
  }

  /** The total count of a group by the annotation of its pods; without one, the number of pods. */
  int total(List<Pod> pods) {
    return pods.stream()
        .mapToInt(PodGroup::total)
        .filter(total -> total > 0)
        .findFirst()
        .orElse(pods.size());
  }

  /** The problem because of which the pods cannot have a workload, if any. */
  Optional<String> problem(PodGroupMembers members) {
    List<Pod> counted = members.kept().stream().filter(PodGroupMembers::counts).toList();
    if (counted.isEmpty()) {
      return Optional.of("the group has no pod that can run");
    }
    Pod first = counted.getFirst();
    String group = ManagedJobs.podGroup(first.object());
    if (PodGroup.total(first) == 0) {
      return Optional.of(
          "pod %s: annotation %s must be a positive number and is \"%s\""
              .formatted(
                  first.name(),
                  KueueNames.POD_GROUP_TOTAL,
                  first.object().annotation(KueueNames.POD_GROUP_TOTAL)));
    }
    return difference(
            counted, KueueNames.POD_GROUP_TOTAL, pod -> annotation(pod, KueueNames.POD_GROUP_TOTAL))
        .or(() ->
            difference(counted, KueueNames.QUEUE_NAME, pod -> ManagedJobs.queueName(pod.object())))
        .or(() ->
            difference(
                counted,
                KueueNames.POD_GROUP_FAST_ADMISSION,
                pod -> annotation(pod, KueueNames.POD_GROUP_FAST_ADMISSION)))
        .or(() -> copied(counted))
        .or(() -> size(group, members, counted));
  }

  private static String annotation(Pod pod, String name) {
    return pod.object().annotation(name);
  }

  /** Only different values are a contradiction: some pods may have no value. */
  private Optional<String> copied(List<Pod> pods) {
    return configuration.labelKeysToCopy().stream()
        .flatMap(key -> contradiction(pods, key, pod -> pod.object().labels()).stream())
        .findFirst()
        .or(() ->
            configuration.annotationKeysToCopy().stream()
                .flatMap(
                    key -> contradiction(pods, key, pod -> pod.object().annotations()).stream())
                .findFirst());
  }

  private static Optional<String> contradiction(
      List<Pod> pods, String key, Function<Pod, SortedMap<String, String>> values) {
    List<Pod> named = pods.stream().filter(pod -> values.apply(pod).containsKey(key)).toList();
    return named.isEmpty()
        ? Optional.empty()
        : difference(named, key, pod -> values.apply(pod).getOrDefault(key, ""));
  }

  private static Optional<String> difference(
      List<Pod> pods, String name, Function<Pod, String> value) {
    Pod first = pods.getFirst();
    return pods.stream()
        .filter(pod -> !value.apply(pod).equals(value.apply(first)))
        .findFirst()
        .map(other ->
            "pods of a group must agree on %s: pod %s says \"%s\", pod %s says \"%s\""
                .formatted(
                    name, first.name(), value.apply(first), other.name(), value.apply(other)));
  }

  private static Optional<String> size(String group, PodGroupMembers members, List<Pod> pods) {
    int total = PodGroup.total(pods.getFirst());
    if (pods.size() < total && !PodGroupMembers.isFast(pods)) {
      return Optional.of(
          "'%s' group has fewer runnable pods than expected: %d of %d"
              .formatted(group, pods.size(), total));
    }
    int roles = members.podSets(total).size();
    return roles > MAX_ROLES
        ? Optional.of(
            "'%s' group has %d roles and may have %d: give more of its pods the same shape"
                .formatted(group, roles, MAX_ROLES))
        : Optional.empty();
  }
}
