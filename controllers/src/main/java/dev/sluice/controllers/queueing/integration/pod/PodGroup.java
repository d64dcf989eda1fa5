package dev.sluice.controllers.queueing.integration.pod;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.Int32;
import dev.sluice.controllers.queueing.RoleHash;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.controllers.queueing.integration.JobIntegration.Finish;
import dev.sluice.controllers.queueing.integration.PodSetInfo;
import dev.sluice.controllers.queueing.integration.QueuedJob;
import dev.sluice.controllers.queueing.integration.Stop;
import dev.sluice.controllers.queueing.integration.StopProgress;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A group of pods that were created one by one and are queued together. Their workload has the name
 * of the group; a failed pod may be replaced by another with the same role.
 *
 * @param all every existing pod of the group, by name
 * @param membership the part that each pod has in the group
 */
record PodGroup(
    Cluster cluster,
    Configuration configuration,
    String name,
    List<Pod> all,
    PodGroupMembers membership)
    implements QueuedJob {
  private static final PodIntegration PODS = new PodIntegration();

  /** The total count in a pod's annotation; zero without one. */
  static int total(Pod pod) {
    return Int32.positive(pod.object().annotation(KueueNames.POD_GROUP_TOTAL)).orElse(0);
  }

  private int total() {
    return total(representative());
  }

  /** The first pod that counts, or else the first pod. */
  private Pod representative() {
    List<Pod> candidates = membership.kept().isEmpty() ? all : membership.kept();
    return candidates.stream()
        .filter(PodGroupMembers::counts)
        .findFirst()
        .orElse(candidates.getFirst());
  }

  private boolean hasAnnotation(String annotation, String value) {
    return all.stream().anyMatch(pod -> pod.object().annotation(annotation).equals(value));
  }

  private boolean isServing() {
    return hasAnnotation(KueueNames.POD_GROUP_SERVING, "true");
  }

  private boolean isFinalWhenFailed() {
    return hasAnnotation(KueueNames.RETRIABLE_IN_GROUP, "false");
  }

  @Override
  public ApiObject object() {
    return representative().object();
  }

  @Override
  public ResourceKind kind() {
    return Kinds.POD;
  }

  @Override
  public List<ApiObject> members() {
    return membership.kept().stream().map(Pod::object).toList();
  }

  @Override
  public String workloadName() {
    return name;
  }

  @Override
  public boolean group() {
    return true;
  }

  @Override
  public boolean held() {
    return membership.kept().stream().anyMatch(PodGroup::isHeld);
  }

  private static boolean isHeld(Pod pod) {
    return pod.isActive() && PodIntegration.isGated(pod);
  }

  @Override
  public boolean running() {
    return all.stream().anyMatch(pod -> pod.isActive() && !PodIntegration.isGated(pod));
  }

  @Override
  public boolean active() {
    return all.stream().anyMatch(this::usesQuota);
  }

  private boolean usesQuota(Pod pod) {
    return quotaUse().holds(pod);
  }

  private QuotaUse quotaUse() {
    return new QuotaUse(configuration, cluster.time().now());
  }

  @Override
  public Optional<Duration> inactiveAfter() {
    return all.stream()
        .flatMap(pod -> quotaUse().endsAfter(pod).stream())
        .max(Comparator.naturalOrder());
  }

  @Override
  public List<PodSet> podSets() {
    return membership.podSets(total());
  }

  @Override
  public Optional<Finish> finish() {
    long succeeded =
        membership.kept().stream().filter(pod -> pod.phase() == Pod.Phase.SUCCEEDED).count();
    boolean over = all.stream().allMatch(Pod::isTerminal);
    // The total count may be lowered later; quota is in use while one of the pods runs.
    boolean complete = total() > 0 && succeeded >= total() && !active();
    return !isServing() && (complete || (over && isFinalWhenFailed()))
        ? Optional.of(new Finish(complete, "Pods succeeded: %d/%d.".formatted(succeeded, total())))
        : Optional.empty();
  }

  @Override
  public boolean podsReady() {
    long ready =
        membership.kept().stream()
            .filter(pod -> pod.isActive() || pod.phase() == Pod.Phase.SUCCEEDED)
            .filter(pod -> PODS.podsReady(pod.object()))
            .count();
    return ready >= total();
  }

  @Override
  public SortedMap<String, Integer> reclaimablePods() {
    var succeeded = new TreeMap<String, Integer>();
    if (isServing()) {
      return succeeded;
    }
    for (Pod pod : membership.kept()) {
      if (pod.phase() == Pod.Phase.SUCCEEDED) {
        succeeded.merge(membership.role(pod), 1, Integer::sum);
      }
    }
    return succeeded;
  }

  @Override
  public String priorityClass() {
    return "";
  }

  @Override
  public SortedMap<String, String> labels() {
    return ofAllMembers(ApiObject::labels);
  }

  @Override
  public SortedMap<String, String> annotations() {
    return ofAllMembers(ApiObject::annotations);
  }

  /** Each value is that of the first pod that has one; of those to be copied, pods have one. */
  private SortedMap<String, String> ofAllMembers(
      Function<ApiObject, SortedMap<String, String>> values) {
    var all = new TreeMap<String, String>();
    members().forEach(member -> values.apply(member).forEach(all::putIfAbsent));
    return all;
  }

  @Override
  public boolean elastic() {
    return false;
  }

  /**
   * Pods may be missing, so a workload matches as long as one pod of the group matches; it does not
   * if there are only other pods.
   */
  @Override
  public boolean matches(Workload workload) {
    boolean matching = membership.kept().stream().anyMatch(PodGroupMembers::counts);
    return matching || membership.strangers().isEmpty();
  }

  /** Adds the condition that the group waits for replacement pods, so that it is not admitted. */
  @Override
  public WorkloadStatus report(WorkloadStatus status, Instant now) {
    String type = WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS;
    boolean incomplete = membership.toReplace() > 0 && !isFinalWhenFailed();
    if (incomplete) {
      return status.with(waitingForReplacement(status), now);
    }
    return status.holds(type)
        ? status.with(
            WorkloadTransitions.condition(type, false, "PodsReady", "No pods need replacement"),
            now)
        : status;
  }

  /** The reason is that of the eviction, also after it, until the group is whole again. */
  private static Condition waitingForReplacement(WorkloadStatus status) {
    String type = WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS;
    String source = status.holds(WorkloadStatus.EVICTED) ? WorkloadStatus.EVICTED : type;
    return status.holds(source)
        ? WorkloadTransitions.condition(type, true, status.reason(source), status.message(source))
        : WorkloadTransitions.condition(
            type, true, "PodsFailed", "Some Failed pods need replacement");
  }

  /**
   * Removes the scheduling gate of pods, of each role at most as many as were admitted. If one pod
   * has a conflict, no gate is removed.
   */
  @Override
  public List<ApiObject> start(PodSetInfo changes) {
    return ungated(changes).stream().map(pod -> cluster.update(Kinds.POD, pod)).toList();
  }

  private List<ApiObject> ungated(PodSetInfo changes) {
    var ungated = new ArrayList<ApiObject>();
    var running = new TreeMap<String, Integer>();
    all.stream()
        .filter(this::usesQuota)
        .forEach(pod -> running.merge(membership.role(pod), 1, Integer::sum));
    for (Pod pod : membership.kept()) {
      String role = membership.role(pod);
      if (isHeld(pod) && running.getOrDefault(role, 0) < changes.count(role)) {
        PodTemplate free =
            // The changes of the start must not change the pod's role.
            changes
                .on(role, PodTemplate.of(pod))
                .withAnnotation(KueueNames.ROLE_HASH, RoleHash.of(pod.object()))
                .withoutSchedulingGate(KueueNames.ADMISSION_GATE);
        ungated.add(free.onto(pod).object());
        running.merge(role, 1, Integer::sum);
      }
    }
    return ungated;
  }

  @Override
  public StopProgress stop(Stop stop) {
    boolean begun = false;
    boolean withWaiting = stop.reason() == Stop.Reason.WORKLOAD_DELETED;
    for (Pod pod : all) {
      boolean unused = PodIntegration.isGated(pod) || pod.isTerminal();
      if (!pod.isDeleting() && (withWaiting || !unused)) {
        PodIntegration.terminate(cluster, pod, stop);
        begun = true;
      }
    }
    if (begun) {
      return StopProgress.BEGUN;
    }
    return active() ? StopProgress.WAITING : StopProgress.DONE;
  }

  /** Pods of a queued job are held by that job alone. */
  @Override
  public boolean suspend() {
    return false;
  }

  @Override
  public void removeFinalizers() {
    all.forEach(pod -> PODS.removeFinalizers(cluster, pod.object()));
  }
}
