package dev.sluice.controllers.queueing.integration.pod;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.Int32;
import dev.sluice.controllers.queueing.RoleHash;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.controllers.queueing.integration.JobIntegration.Finish;
import dev.sluice.controllers.queueing.integration.PodSetInfo;
import dev.sluice.controllers.queueing.integration.QueuedJob;
import dev.sluice.controllers.queueing.integration.Stop;
import dev.sluice.controllers.queueing.integration.StopProgress;
import dev.sluice.model.ApiObject;
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

/**
 * Pods that were created one by one and are queued together. Their workload has the group's name; a
 * pod that failed may be replaced by another one of its role.
 *
 * @param all every pod of the group that is still there, by name
 * @param census which of them make the group
 */
record PodGroup(
    Cluster cluster,
    Configuration configuration,
    String name,
    List<Pod> all,
    PodGroupMembers census)
    implements QueuedJob {
  private static final PodIntegration PODS = new PodIntegration();

  /** How many pods a pod says its group has; zero if it does not say. */
  static int total(Pod pod) {
    return Int32.positive(pod.object().annotation(KueueNames.POD_GROUP_TOTAL)).orElse(0);
  }

  private int total() {
    return total(speaker());
  }

  /** The first pod that counts; where none does, the first. */
  private Pod speaker() {
    List<Pod> candidates = census.kept().isEmpty() ? all : census.kept();
    return candidates.stream()
        .filter(PodGroupMembers::counts)
        .findFirst()
        .orElse(candidates.getFirst());
  }

  private boolean says(String annotation, String value) {
    return all.stream().anyMatch(pod -> pod.object().annotation(annotation).equals(value));
  }

  private boolean serves() {
    return says(KueueNames.POD_GROUP_SERVING, "true");
  }

  private boolean isFinalWhenFailed() {
    return says(KueueNames.RETRIABLE_IN_GROUP, "false");
  }

  @Override
  public ApiObject object() {
    return speaker().object();
  }

  @Override
  public ResourceKind kind() {
    return Kinds.POD;
  }

  @Override
  public List<ApiObject> members() {
    return census.kept().stream().map(Pod::object).toList();
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
    return census.kept().stream().anyMatch(PodGroup::waits);
  }

  private static boolean waits(Pod pod) {
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

  /** A pod that outlives its grace is on a node that cannot say so any more. */
  private boolean usesQuota(Pod pod) {
    if (PodIntegration.isGated(pod) || pod.isTerminal()) {
      return false;
    }
    return !pod.isDeleting()
        || (!configuration.has(Gate.FAST_QUOTA_RELEASE) && graceLeft(pod).isPositive());
  }

  private Duration graceLeft(Pod pod) {
    Instant now = cluster.time().now();
    return Duration.between(now, pod.object().deleted().orElse(now));
  }

  @Override
  public Optional<Duration> inactiveAfter() {
    return all.stream()
        .filter(this::usesQuota)
        .map(this::graceLeft)
        .filter(Duration::isPositive)
        .max(Comparator.naturalOrder());
  }

  @Override
  public List<PodSet> podSets() {
    return census.podSets(total());
  }

  @Override
  public Optional<Finish> finish() {
    long succeeded =
        census.kept().stream().filter(pod -> pod.phase() == Pod.Phase.SUCCEEDED).count();
    boolean over = all.stream().allMatch(Pod::isTerminal);
    // Pods may say later that they are fewer; their quota is in use while one of them runs.
    boolean complete = total() > 0 && succeeded >= total() && !active();
    return !serves() && (complete || (over && isFinalWhenFailed()))
        ? Optional.of(new Finish(complete, "Pods succeeded: %d/%d.".formatted(succeeded, total())))
        : Optional.empty();
  }

  @Override
  public boolean podsReady() {
    long ready =
        census.kept().stream()
            .filter(pod -> pod.isActive() || pod.phase() == Pod.Phase.SUCCEEDED)
            .filter(pod -> PODS.podsReady(pod.object()))
            .count();
    return ready >= total();
  }

  @Override
  public SortedMap<String, Integer> reclaimablePods() {
    var succeeded = new TreeMap<String, Integer>();
    if (serves()) {
      return succeeded;
    }
    for (Pod pod : census.kept()) {
      if (pod.phase() == Pod.Phase.SUCCEEDED) {
        succeeded.merge(census.role(pod), 1, Integer::sum);
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
    return object().labels();
  }

  @Override
  public boolean elastic() {
    return false;
  }

  /**
   * Pods may be missing, so a workload matches as long as the group has something of it; only when
   * there are other pods in place of all of them it stands for something else.
   */
  @Override
  public boolean matches(Workload workload) {
    boolean ours = census.kept().stream().anyMatch(PodGroupMembers::counts);
    return ours || census.strangers().isEmpty();
  }

  /** Tells the queue that the group is not complete, so that it does not try to admit it. */
  @Override
  public WorkloadStatus report(WorkloadStatus status, Instant now) {
    String type = WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS;
    boolean waits = census.absent() > 0 && !isFinalWhenFailed() && !PodGroupMembers.isFast(all);
    if (waits) {
      boolean evicted = status.holds(WorkloadStatus.EVICTED);
      String reason = evicted ? status.reason(WorkloadStatus.EVICTED) : "PodsFailed";
      String message = "%d pods of the group wait for replacement".formatted(census.absent());
      return status.with(WorkloadTransitions.condition(type, true, reason, message), now);
    }
    return status.holds(type)
        ? status.with(
            WorkloadTransitions.condition(type, false, "PodsReady", "All pods of the group exist"),
            now)
        : status;
  }

  /**
   * Lets pods go, but never more of a role at once than the role was given. None goes if one of
   * them cannot.
   */
  @Override
  public List<ApiObject> start(PodSetInfo changes) {
    return freed(changes).stream().map(pod -> cluster.update(Kinds.POD, pod)).toList();
  }

  private List<ApiObject> freed(PodSetInfo changes) {
    var freed = new ArrayList<ApiObject>();
    var running = new TreeMap<String, Integer>();
    all.stream()
        .filter(this::usesQuota)
        .forEach(pod -> running.merge(census.role(pod), 1, Integer::sum));
    for (Pod pod : census.kept()) {
      String role = census.role(pod);
      if (waits(pod) && running.getOrDefault(role, 0) < changes.count(role)) {
        PodTemplate free =
            // What was put into the pod must not change its role.
            changes
                .on(role, PodTemplate.of(pod))
                .withAnnotation(KueueNames.ROLE_HASH, RoleHash.of(pod.object()))
                .withoutSchedulingGate(KueueNames.ADMISSION_GATE);
        freed.add(free.onto(pod).object());
        running.merge(role, 1, Integer::sum);
      }
    }
    return freed;
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

  /** Pods that belong to a queued job are held back by that job alone. */
  @Override
  public boolean suspend() {
    return false;
  }

  @Override
  public void letGo() {
    all.forEach(pod -> PODS.letGo(cluster, pod.object()));
  }
}
