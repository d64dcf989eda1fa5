package dev.sluice.controllers.assembly;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.housekeeping.DisruptionController;
import dev.sluice.controllers.housekeeping.EphemeralClaims;
import dev.sluice.controllers.housekeeping.GarbageCollector;
import dev.sluice.controllers.housekeeping.NamespaceController;
import dev.sluice.controllers.housekeeping.PodGarbageCollector;
import dev.sluice.controllers.housekeeping.ResourceQuotaController;
import dev.sluice.controllers.housekeeping.StaleDisruptions;
import dev.sluice.controllers.housekeeping.VolumeBinder;
import dev.sluice.controllers.housekeeping.VolumeProtection;
import dev.sluice.controllers.jobs.CronJobController;
import dev.sluice.controllers.jobs.JobController;
import dev.sluice.controllers.jobs.TtlAfterFinished;
import dev.sluice.controllers.jobsets.JobSetController;
import dev.sluice.controllers.jobsets.JobSetRules;
import dev.sluice.controllers.nodes.NodeLeases;
import dev.sluice.controllers.nodes.SimulatedNodes;
import dev.sluice.controllers.nodes.SimulationSettings;
import dev.sluice.controllers.nodes.StageRules;
import dev.sluice.controllers.nodes.lifecycle.NodeLifecycle;
import dev.sluice.controllers.nodes.lifecycle.TaintEviction;
import dev.sluice.controllers.nodes.usage.UsageRules;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.FailureRecovery;
import dev.sluice.controllers.queueing.admission.AdmissionController;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.controllers.queueing.invariants.InvariantsController;
import dev.sluice.controllers.queueing.lifecycle.InUseController;
import dev.sluice.controllers.queueing.lifecycle.PriorityClassController;
import dev.sluice.controllers.queueing.lifecycle.VariantController;
import dev.sluice.controllers.queueing.lifecycle.WorkloadController;
import dev.sluice.controllers.queueing.rules.QueueingRules;
import dev.sluice.controllers.queueing.status.CohortStatusController;
import dev.sluice.controllers.queueing.status.QueueStatusController;
import dev.sluice.controllers.scheduling.PodScheduler;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All controllers, in the groups in which they are enabled. */
public final class ControllerSet {

  /** Controllers that are enabled together. */
  public enum Group {
    /** Runs Jobs and CronJobs, as kube-controller-manager does. */
    JOBS("jobs"),
    /** Runs JobSets, as the controller of the JobSet project does. */
    JOBSETS("jobsets"),
    /** Admits workloads, and starts and stops their jobs, as Kueue does. */
    QUEUEING("queueing"),
    /** Binds pods to nodes, as kube-scheduler does. */
    SCHEDULING("scheduling"),
    /** Runs the pods of simulated nodes, as KWOK does. */
    NODES("nodes"),
    /**
     * Renews the leases of simulated nodes, for clusters whose node lifecycle controller expects
     * them.
     */
    NODE_LEASES("node-leases"),
    /** Taints nodes whose heartbeat is missing, as kube-controller-manager does. */
    NODE_LIFECYCLE("node-lifecycle"),
    /**
     * Deletes objects whose owner is gone and pods that their node no longer tolerates, as
     * kube-controller-manager does.
     */
    HOUSEKEEPING("housekeeping"),
    /**
     * Checks the invariants of queueing, for tests and the search for defects. Only useful together
     * with {@link #QUEUEING}.
     */
    INVARIANTS("invariants");

    private final String word;

    Group(String word) {
      this.word = word;
    }

    /** The name of the group on the command line. */
    public String word() {
      return word;
    }
  }

  /**
   * The groups of an embedded control plane, where no controller expects leases of simulated nodes.
   */
  public static final Set<Group> EMBEDDED =
      Collections.unmodifiableSet(
          EnumSet.complementOf(EnumSet.of(Group.NODE_LEASES, Group.INVARIANTS)));

  /** The same in virtual time, where nodes have no heartbeat. */
  public static final Set<Group> SIMULATED = without(EMBEDDED, Group.NODE_LIFECYCLE);

  private static Set<Group> without(Set<Group> groups, Group removed) {
    var fewer = EnumSet.noneOf(Group.class);
    fewer.addAll(groups);
    fewer.remove(removed);
    return Collections.unmodifiableSet(fewer);
  }

  /** The given groups and the one that checks the invariants of queueing. */
  public static Set<Group> checked(Set<Group> groups) {
    var checked = EnumSet.of(Group.INVARIANTS);
    checked.addAll(groups);
    return Collections.unmodifiableSet(checked);
  }

  /** The namespaced kinds, which the namespace controller and resource quotas cover. */
  private static final List<ResourceKind> HELD_KINDS =
      List.of(
          Kinds.CRON_JOB,
          Kinds.JOB,
          Kinds.JOB_SET,
          Kinds.POD,
          Kinds.WORKLOAD,
          Kinds.LOCAL_QUEUE,
          Kinds.CONFIG_MAP,
          Kinds.SECRET,
          Kinds.SERVICE,
          Kinds.SERVICE_ACCOUNT,
          Kinds.PERSISTENT_VOLUME_CLAIM,
          Kinds.LEASE,
          Kinds.POD_DISRUPTION_BUDGET,
          Kinds.LIMIT_RANGE,
          Kinds.RESOURCE_QUOTA,
          Kinds.EVENT);

  /** The kinds that the garbage collector covers: also the cluster-scoped ones, as owners. */
  private static final List<ResourceKind> OWNING_KINDS =
      Stream.concat(
              HELD_KINDS.stream(),
              Stream.of(
                  Kinds.NAMESPACE,
                  Kinds.NODE,
                  Kinds.PERSISTENT_VOLUME,
                  Kinds.PRIORITY_CLASS,
                  Kinds.RUNTIME_CLASS,
                  Kinds.STORAGE_CLASS,
                  Kinds.CUSTOM_RESOURCE_DEFINITION))
          .toList();

  private ControllerSet() {}

  public static List<Controller> of(
      Set<Group> groups, Cluster cluster, DecisionLog log, Configuration configuration) {
    return of(groups, cluster, new QueueCache(cluster, configuration), log, configuration);
  }

  /** The same, with a QueueCache that is also read elsewhere. */
  public static List<Controller> of(
      Set<Group> groups,
      Cluster cluster,
      QueueCache cache,
      DecisionLog log,
      Configuration configuration) {
    return of(groups, cluster, cache, log, configuration, SchedulerConfiguration.DEFAULT);
  }

  /** The same, with a configuration of the scheduler. */
  public static List<Controller> of(
      Set<Group> groups,
      Cluster cluster,
      QueueCache cache,
      DecisionLog log,
      Configuration configuration,
      SchedulerConfiguration scheduling) {
    return Stream.of(Group.values())
        .filter(groups::contains)
        .flatMap(
            group -> of(group, groups, cluster, cache, log, configuration, scheduling).stream())
        .toList();
  }

  private static List<Controller> of(
      Group group,
      Set<Group> groups,
      Cluster cluster,
      QueueCache cache,
      DecisionLog log,
      Configuration configuration,
      SchedulerConfiguration scheduling) {
    return switch (group) {
      case JOBS ->
          List.of(
              new JobController(cluster),
              new TtlAfterFinished(cluster),
              new CronJobController(cluster));
      case JOBSETS -> List.of(new JobSetController(cluster));
      case QUEUEING -> queueing(cluster, cache, log, configuration);
      case SCHEDULING -> List.of(new PodScheduler(cluster, scheduling));
      case NODES -> SimulatedNodes.withPods(cluster, groups.contains(Group.NODE_LEASES));
      case NODE_LEASES -> List.of(new NodeLeases(cluster));
      case NODE_LIFECYCLE -> List.of(new NodeLifecycle(cluster));
      case HOUSEKEEPING ->
          List.of(
              new GarbageCollector(cluster, OWNING_KINDS),
              new NamespaceController(cluster, HELD_KINDS),
              new PodGarbageCollector(cluster),
              new DisruptionController(cluster),
              new ResourceQuotaController(cluster, HELD_KINDS),
              new StaleDisruptions(cluster),
              new VolumeBinder(cluster),
              new VolumeProtection(cluster),
              new EphemeralClaims(cluster),
              new TaintEviction(cluster));
      case INVARIANTS -> List.of(new InvariantsController(cluster, configuration, cache, log));
    };
  }

  /** The groups without those of {@link #simulatedNodes}. */
  public static Set<Group> withoutSimulatedNodes(Set<Group> groups) {
    return without(without(groups, Group.NODES), Group.NODE_LEASES);
  }

  /** The controllers of simulated nodes in these groups, with their settings. */
  public static List<Controller> simulatedNodes(
      Set<Group> groups, Cluster cluster, SimulationSettings settings) {
    var controllers = new ArrayList<Controller>();
    boolean leased = groups.contains(Group.NODE_LEASES);
    if (groups.contains(Group.NODES)) {
      controllers.addAll(SimulatedNodes.withPods(cluster, leased, settings));
    }
    if (leased) {
      controllers.add(new NodeLeases(cluster, settings));
    }
    return controllers;
  }

  private static List<Controller> queueing(
      Cluster cluster, QueueCache cache, DecisionLog log, Configuration configuration) {
    var controllers = new ArrayList<>(Integrations.controllers(cluster, configuration));
    controllers.addAll(
        List.of(
            new WorkloadController(cluster, configuration),
            new VariantController(cluster, configuration),
            new PriorityClassController(cluster),
            InUseController.ofFlavors(cluster),
            InUseController.ofChecks(cluster),
            InUseController.ofTopologies(cluster),
            InUseController.ofClusterQueues(cluster),
            new AdmissionController(cluster, cache, log),
            new QueueStatusController(cluster, cache, configuration),
            new CohortStatusController(cluster, cache, configuration)));
    if (configuration.has(Gate.FAILURE_RECOVERY)) {
      controllers.add(new FailureRecovery(cluster));
    }
    return controllers;
  }

  /** The admission hooks that these groups need. */
  public static List<AdmissionHook> admissionHooks(
      Set<Group> groups, Cluster cluster, Configuration configuration) {
    var hooks = new ArrayList<AdmissionHook>();
    // Without queueing, a job that is created suspended would never start.
    if (groups.contains(Group.QUEUEING)) {
      hooks.addAll(QueueingRules.all(cluster, configuration));
    }
    if (groups.contains(Group.JOBSETS)) {
      hooks.add(new JobSetRules(cluster));
    }
    if (groups.contains(Group.NODES)) {
      hooks.add(new StageRules(cluster));
      hooks.addAll(UsageRules.all());
    }
    return List.copyOf(hooks);
  }
}
