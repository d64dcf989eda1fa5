package dev.sluice.controllers.queueing.integration.pod;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.NotifyingCluster;
import dev.sluice.controllers.ObjectIndex;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.controllers.queueing.PodDemand;
import dev.sluice.controllers.queueing.integration.GenericJobReconciler;
import dev.sluice.controllers.queueing.integration.JobPriority;
import dev.sluice.controllers.queueing.integration.JobTerms;
import dev.sluice.controllers.queueing.integration.OrphanedWorkloads;
import dev.sluice.controllers.queueing.integration.SingleJob;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The controller of single pods, pod groups and their workloads. Only pods that got the label of
 * managed pods at their creation count. The key of a group is that of its workload, which has the
 * same name.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class PodReconciler implements Controller {
  private static final PodIntegration PODS = new PodIntegration();
  private static final String NO_MATCHING_POD_SET =
      "The pod waits: the workload of its group has no pod set for it, or only for smaller pods";
  private static final String UNGATED =
      "Pod deleted: its gate was removed, but the workload of its group has no quota for it";

  private final Cluster cluster;
  private final Configuration configuration;
  private final ManagedJobs managed;
  private final EventRecorder events;
  private final ObjectIndex<String> workloads;
  private final ObjectIndex<String> pods;
  private final GenericJobReconciler reconciler;
  private final OrphanedWorkloads orphans;
  private final GroupRules rules;
  private final PodDemand demand;

  public PodReconciler(Cluster world, Configuration configuration) {
    this.configuration = configuration;
    this.workloads = JobTerms.workloadsByOwner(world);
    this.pods = new ObjectIndex<>(world, Kinds.POD, PodReconciler::terms);
    this.cluster = new NotifyingCluster(world, Kinds.WORKLOAD, workloads::changed);
    this.managed = new ManagedJobs(cluster, configuration);
    this.events = new EventRecorder(cluster, PODS.framework() + "-kueue-controller");
    this.reconciler = new GenericJobReconciler(cluster, configuration, events, workloads);
    this.orphans = new OrphanedWorkloads(cluster, configuration, workloads);
    this.rules = new GroupRules(configuration);
    this.demand = new PodDemand(cluster, configuration);
  }

  private static List<String> terms(ApiObject pod) {
    if (!PodIntegration.isManaged(pod)) {
      return List.of();
    }
    var terms = new ArrayList<String>();
    String group = ManagedJobs.podGroup(pod);
    String prebuilt = ManagedJobs.prebuilt(pod);
    if (!group.isEmpty()) {
      terms.add(inGroup(pod.namespace(), group));
    }
    if (!prebuilt.isEmpty()) {
      terms.add(JobTerms.prebuilt(Kinds.WORKLOAD.key(pod.namespace(), prebuilt)));
    }
    JobPriority.named(pod, new Pod(pod).spec().priorityClassName())
        .map(JobTerms::ofClass)
        .ifPresent(terms::add);
    return terms;
  }

  private static String inGroup(String namespace, String group) {
    return "group/" + namespace + "/" + group;
  }

  @Override
  public String name() {
    return "queued-pods";
  }

  @Override
  public List<Trigger> triggers() {
    var triggers = new ArrayList<Trigger>();
    triggers.add(new Trigger(Kinds.POD, this::onPod));
    triggers.add(new Trigger(Kinds.WORKLOAD, this::onWorkload));
    triggers.addAll(JobPriority.onNewClasses());
    triggers.add(new Trigger(Kinds.NAMESPACE, this::onNamespace));
    return triggers;
  }

  private List<ObjectKey> onNamespace(ObjectEvent event) {
    return ManagedJobs.mayChange(event)
        ? cluster.list(Kinds.POD, event.object().name()).stream()
            .filter(PodIntegration::isManaged)
            .map(PodReconciler::job)
            .distinct()
            .toList()
        : List.of();
  }

  private List<ObjectKey> onPod(ObjectEvent event) {
    ApiObject pod = event.object();
    if (!PodIntegration.isManaged(pod)) {
      return List.of();
    }
    pods.changed(pod);
    String prebuilt = ManagedJobs.prebuilt(pod);
    boolean last = event.type() == ObjectEvent.Type.DELETED && !prebuilt.isEmpty();
    return last
        ? List.of(job(pod), Kinds.WORKLOAD.key(pod.namespace(), prebuilt))
        : List.of(job(pod));
  }

  /** The key under which a pod is reconciled, alone or with its group. */
  private static ObjectKey job(ApiObject pod) {
    String group = ManagedJobs.podGroup(pod);
    return group.isEmpty() ? pod.key(Kinds.POD) : Kinds.WORKLOAD.key(pod.namespace(), group);
  }

  private List<ObjectKey> onWorkload(ObjectEvent event) {
    ApiObject workload = event.object();
    ObjectKey key = workload.key(Kinds.WORKLOAD);
    workloads.changed(key);
    boolean single =
        workload.controller().filter(owner -> owner.kind().equals(Kinds.POD.kind())).isPresent();
    return List.of(
        single
            ? Kinds.POD.key(workload.namespace(), workload.controller().orElseThrow().name())
            : key);
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    if (key.kind().equals(Kinds.POD)) {
      return reconcilePod(key);
    }
    if (JobPriority.isClass(key)) {
      pods.objects(JobTerms.ofClass(key)).stream()
          .map(PodReconciler::job)
          .distinct()
          .forEach(this::reconcile);
      return Outcome.DONE;
    }
    var groups = new TreeSet<String>();
    groups.add(key.name());
    for (ApiObject pod : pods.objects(JobTerms.prebuilt(key))) {
      if (ManagedJobs.podGroup(pod).isEmpty()) {
        reconcilePod(pod.key(Kinds.POD));
      } else {
        groups.add(ManagedJobs.podGroup(pod));
      }
    }
    Outcome outcome = Outcome.DONE;
    for (String group : groups) {
      outcome = reconcileGroup(key.namespace(), group);
    }
    return outcome;
  }

  private Outcome reconcilePod(ObjectKey key) {
    Optional<ApiObject> pod = cluster.get(key).filter(PodIntegration::isManaged);
    Optional<Pod> single = pod.filter(found -> ManagedJobs.podGroup(found).isEmpty()).map(Pod::new);
    Optional<Pod> ending = single.filter(Pod::isTerminating);
    var use = new QuotaUse(configuration, cluster.time().now());
    // A finalizer of another controller may keep a pod that can never run again.
    boolean over = ending.filter(found -> !use.holds(found)).isPresent();
    orphans.release(key, over ? Optional.empty() : cluster.get(key));
    pod.filter(ApiObject::isDeleting).ifPresent(going -> PODS.removeFinalizers(cluster, going));
    if (ending.isPresent()) {
      return use.endsAfter(ending.get()).map(Outcome::again).orElse(Outcome.DONE);
    }
    return single
        .map(found ->
            reconciler.reconcile(new SingleJob(cluster, configuration, PODS, found.object())))
        .orElse(Outcome.DONE);
  }

  private Outcome reconcileGroup(String namespace, String name) {
    List<Pod> members = pods.objects(inGroup(namespace, name)).stream().map(Pod::new).toList();
    Optional<ApiObject> own = cluster.get(Kinds.WORKLOAD.key(namespace, name));
    if (members.isEmpty()) {
      own.filter(this::isWithoutPods).ifPresent(orphans::release);
      return Outcome.DONE;
    }
    String prebuilt = ManagedJobs.prebuilt(members.getFirst().object());
    Optional<Workload> workload =
        (prebuilt.isEmpty()
                ? own.filter(found -> belongs(found, members))
                : cluster.get(Kinds.WORKLOAD.key(namespace, prebuilt)))
            .map(Workload::new);
    PodGroupMembers membership =
        workload
            .map(found -> PodGroupMembers.of(members, found, demand))
            .orElseGet(() -> PodGroupMembers.of(members, rules.total(members)));
    var group = new PodGroup(cluster, configuration, name, members, membership);
    if (!managed.manages(group.object())) {
      // They are not counted any more, for example because their namespace is not selected.
      members.stream()
          .filter(Pod::isDeleting)
          .forEach(pod -> PODS.removeFinalizers(cluster, pod.object()));
      return reconciler.reconcile(group);
    }
    return deleteExcess(group, workload) ? reconciler.reconcile(group) : Outcome.DONE;
  }

  /** Whether a workload with the name of the group belongs to it. */
  private static boolean belongs(ApiObject workload, List<Pod> members) {
    return workload.annotation(KueueNames.IS_GROUP_WORKLOAD).equals("true")
        || members.stream().anyMatch(pod -> workload.isOwnedBy(pod.object()));
  }

  /** Whether a group's workload had pods, and has none now; a prebuilt one may precede its pods. */
  private boolean isWithoutPods(ApiObject workload) {
    return workload.annotation(KueueNames.IS_GROUP_WORKLOAD).equals("true")
        && !workload.owners().isEmpty()
        && workload.owners().stream().allMatch(owner -> owner.kind().equals(Kinds.POD.kind()))
        && pods.objects(JobTerms.prebuilt(workload.key(Kinds.WORKLOAD))).isEmpty();
  }

  /** Deletes excess pods; returns whether the group can have a workload. */
  private boolean deleteExcess(PodGroup group, Optional<Workload> workload) {
    uncounted(group, workload).forEach(pod -> PODS.removeFinalizers(cluster, pod.object()));
    Optional<String> problem =
        workload.isPresent() ? Optional.empty() : rules.problem(group.membership());
    if (problem.isPresent()) {
      events.warning(group.object(), "ErrWorkloadCompose", problem.get());
      return false;
    }
    for (Pod pod : group.membership().strangers()) {
      if (PodIntegration.isGated(pod)) {
        events.warning(pod.object(), "ErrWorkloadCompose", NO_MATCHING_POD_SET);
      } else if (pod.isActive()) {
        remove(pod, UNGATED); // it has no quota, so another client removed its gate
      }
    }
    group.membership().excess().forEach(pod -> remove(pod, "Excess pod deleted"));
    return true;
  }

  private void remove(Pod pod, String why) {
    PODS.removeFinalizers(cluster, pod.object());
    cluster.get(pod.key()).ifPresent(left -> cluster.delete(Kinds.POD, left, Deletion.BACKGROUND));
    events.normal(pod.object(), "ExcessPodDeleted", why);
  }

  /**
   * The pods whose end need not be counted: those that were replaced, those that were deleted
   * before they ran, and all pods if the whole group was deleted.
   */
  private static List<Pod> uncounted(PodGroup group, Optional<Workload> workload) {
    boolean evicted =
        workload.filter(found -> found.status().holds(WorkloadStatus.EVICTED)).isPresent();
    boolean stopped = evicted || group.all().stream().anyMatch(PodIntegration::isStopped);
    if (!stopped && group.all().stream().allMatch(Pod::isDeleting)) {
      return group.all();
    }
    var uncounted = new LinkedHashSet<>(group.membership().replaced());
    group.all().stream()
        .filter(pod -> pod.isDeleting() && PodIntegration.isGated(pod))
        .forEach(uncounted::add);
    return List.copyOf(uncounted);
  }
}
