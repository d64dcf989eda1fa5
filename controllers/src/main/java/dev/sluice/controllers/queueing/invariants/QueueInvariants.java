package dev.sluice.controllers.queueing.invariants;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.engine.admission.Invariants;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The invariants of queueing. Each method checks one of them against the objects of a cluster and
 * returns a message for every breach.
 *
 * <p>Some invariants hold {@linkplain #atAnyInstant at any instant}. Others hold {@linkplain
 * #atRest once all controllers have reacted}: a job may still run for a moment after its workload
 * was evicted. {@link LimitWatch} checks the limits of the quota tree. A preemption without need
 * can only be seen when it happens, so a {@link BreachRecorder} records it.
 */
public final class QueueInvariants {
  private static final int MAX_DECISIONS = 512;

  private final Cluster cluster;
  private final Configuration configuration;
  private final ManagedJobs managed;

  public QueueInvariants(Cluster cluster, Configuration configuration) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.managed = new ManagedJobs(cluster, configuration);
  }

  /** The breaches of the invariants that hold after every write. */
  public List<String> atAnyInstant() {
    return Stream.of(onePhase(), oneReservation(), new VariantInvariants(cluster).mirrored())
        .flatMap(List::stream)
        .toList();
  }

  /** The breaches of the invariants that hold once all controllers have reacted. */
  public List<String> atRest() {
    return Stream.of(
            ownersExist(),
            new VariantInvariants(cluster).oneAdmitted(),
            heldWhereWanted(),
            oneWorkloadPerJob(),
            jobsRunAdmitted(),
            podsRunAdmitted(),
            nothingWaitsThatFits())
        .flatMap(List::stream)
        .toList();
  }

  private Stream<Workload> workloads() {
    return cluster.list(Kinds.WORKLOAD).stream().map(Workload::new);
  }

  private Stream<Workload> unfinished() {
    return workloads().filter(workload -> !workload.finished());
  }

  /** A workload is pending, has quota reserved, or is admitted, and its status is consistent. */
  public List<String> onePhase() {
    var breaches = new ArrayList<String>();
    unfinished()
        .forEach(workload -> {
          String name = "Workload " + workload.object().path();
          if (workload.admitted() && !workload.reserved()) {
            breaches.add(name + " is admitted without reserved quota");
          }
          if (workload.status().hasStaleAdmission()) {
            breaches.add(name + " has an admission but no reserved quota");
          }
          if (workload.reserved() && workload.admission().isEmpty()) {
            breaches.add(name + " has reserved quota but no admission");
          }
          workload
              .admission()
              .filter(admission -> !podSets(workload).equals(assigned(admission)))
              .ifPresent(admission ->
                  breaches.add(
                      "%s has pod sets %s but was given flavors for %s"
                          .formatted(name, podSets(workload), assigned(admission))));
        });
    return breaches;
  }

  private static List<String> podSets(Workload workload) {
    return workload.podSets().stream().map(PodSet::name).sorted().toList();
  }

  private static List<String> assigned(Admission admission) {
    return admission.assignments().stream().map(Admission.Assignment::podSet).sorted().toList();
  }

  /** A job has quota reserved once; only slices and variants may share an owner. */
  public List<String> oneReservation() {
    var holders = new TreeMap<String, String>();
    var breaches = new ArrayList<String>();
    unfinished()
        .filter(workload -> workload.admission().isPresent() && workload.parent().isEmpty())
        .map(Workload::object)
        .filter(object -> object.annotation(KueueNames.SLICE_NAME).isEmpty())
        .forEach(object ->
            object
                .controller()
                .map(owner -> holders.put(owner.uid(), object.path()))
                .ifPresent(other ->
                    breaches.add(
                        "Workloads %s and %s hold quota for the same job"
                            .formatted(other, object.path()))));
    return breaches;
  }

  /** Quota is reserved only while an owner of the workload exists. */
  public List<String> ownersExist() {
    return unfinished()
        .filter(workload -> workload.admission().isPresent())
        .map(Workload::object)
        .filter(object -> !object.owners().isEmpty())
        .filter(
            object -> object.owners().stream().noneMatch(owner -> mayExist(object, owner.uid())))
        .map(object -> "Workload " + object.path() + " holds quota, but its owner is gone")
        .toList();
  }

  /** Owners of other kinds are assumed to exist. */
  private boolean mayExist(ApiObject workload, String uid) {
    return workload.owners().stream()
        .filter(owner -> owner.uid().equals(uid))
        .allMatch(owner ->
            Stream.of(Kinds.JOB, Kinds.POD, Kinds.WORKLOAD)
                .filter(
                    kind -> kind.kind().equals(owner.kind()) && kind.group().equals(owner.group()))
                .allMatch(kind ->
                    cluster
                        .get(kind.key(workload.namespace(), owner.name()))
                        .filter(workload::isOwnedBy)
                        .isPresent()));
  }

  /** Quota in a queue is reserved only for a job that runs with it or is queued there. */
  public List<String> heldWhereWanted() {
    SortedMap<String, List<Workload>> byOwner = byOwner();
    var breaches = new ArrayList<String>();
    for (ApiObject job : cluster.list(Kinds.JOB)) {
      byOwner.getOrDefault(job.uid(), List.of()).stream()
          .filter(workload -> workload.admission().isPresent() && isAtRest(new Job(job)))
          .filter(workload ->
              !managed.manages(job) || !workload.queueName().equals(ManagedJobs.queueName(job)))
          .map(workload -> workload.object().path())
          .forEach(path ->
              breaches.add(
                  "Workload %s holds quota for Job %s, which does not wait for it"
                      .formatted(path, job.path())));
    }
    return breaches;
  }

  private static boolean isAtRest(Job job) {
    return job.isSuspended() && job.status().active() + job.status().terminating() == 0;
  }

  /** A queued job has exactly one workload. */
  public List<String> oneWorkloadPerJob() {
    SortedMap<String, List<Workload>> byOwner = byOwner();
    var breaches = new ArrayList<String>();
    queuedJobs()
        .filter(this::canHaveWorkload)
        .forEach(job -> {
          List<Workload> own = byOwner.getOrDefault(job.uid(), List.of());
          if (own.isEmpty()) {
            breaches.add("Job " + job.path() + " waits in a queue, but has no workload");
          }
          boolean sliced =
              own.stream()
                  .anyMatch(
                      workload -> !workload.object().annotation(KueueNames.SLICE_NAME).isEmpty());
          if (own.size() > 1 && !sliced) {
            breaches.add("Job " + job.path() + " has more than one workload: " + paths(own));
          }
        });
    return breaches;
  }

  /** A job with a prebuilt workload, or without its priority class, gets no workload. */
  private boolean canHaveWorkload(ApiObject job) {
    String workloadClass = job.label(KueueNames.PRIORITY_CLASS);
    String podClass = new Job(job).podSpec().priorityClassName();
    return ManagedJobs.prebuilt(job).isEmpty()
        && (workloadClass.isEmpty()
            ? isEmptyOrExists(Kinds.PRIORITY_CLASS, podClass)
            : isEmptyOrExists(Kinds.WORKLOAD_PRIORITY_CLASS, workloadClass));
  }

  private boolean isEmptyOrExists(ResourceKind kind, String name) {
    return name.isEmpty() || cluster.get(kind.key(name)).isPresent();
  }

  private static List<String> paths(List<Workload> workloads) {
    return workloads.stream().map(workload -> workload.object().path()).toList();
  }

  /** The unfinished workloads by the uids of their owners. */
  private SortedMap<String, List<Workload>> byOwner() {
    var byOwner = new TreeMap<String, List<Workload>>();
    unfinished()
        .forEach(workload ->
            workload
                .object()
                .owners()
                .forEach(owner ->
                    byOwner.computeIfAbsent(owner.uid(), _ -> new ArrayList<>()).add(workload)));
    return byOwner;
  }

  /** The unfinished jobs with a queue name and without an owner. */
  private Stream<ApiObject> queuedJobs() {
    return cluster.list(Kinds.JOB).stream()
        .filter(job -> !job.label(KueueNames.QUEUE_NAME).isEmpty())
        .filter(job -> job.controller().isEmpty() && managed.selectsNamespace(job.namespace()))
        .filter(job -> !job.isDeleting() && !new Job(job).isFinished());
  }

  /** A queued job runs only while its workload is admitted. */
  public List<String> jobsRunAdmitted() {
    SortedMap<String, List<Workload>> byOwner = byOwner();
    return queuedJobs()
        .filter(job -> !new Job(job).isSuspended())
        .filter(job -> !admitted(byOwner, job))
        .map(job -> "Job " + job.path() + " is not suspended, but not admitted either")
        .toList();
  }

  private static boolean admitted(SortedMap<String, List<Workload>> byOwner, ApiObject owner) {
    return byOwner.getOrDefault(owner.uid(), List.of()).stream().anyMatch(Workload::admitted);
  }

  /** Pods run only while the workload of their job, or their own, is admitted. */
  public List<String> podsRunAdmitted() {
    SortedMap<String, List<Workload>> byOwner = byOwner();
    SortedMap<String, ApiObject> jobs = new TreeMap<>();
    cluster.list(Kinds.JOB).stream()
        .filter(job -> !job.label(KueueNames.QUEUE_NAME).isEmpty())
        .forEach(job -> jobs.put(job.uid(), job));
    var breaches = new ArrayList<String>();
    for (ApiObject object : cluster.list(Kinds.POD)) {
      var pod = new Pod(object);
      if (!pod.isActive() || pod.spec().hasSchedulingGates()) {
        continue;
      }
      ApiObject job = object.controller().map(owner -> jobs.get(owner.uid())).orElse(null);
      boolean single = !object.label(KueueNames.MANAGED).isEmpty();
      if (job != null ? !admitted(byOwner, job) : single && !admitted(byOwner, object)) {
        breaches.add("Pod " + object.path() + " may run, but its workload is not admitted");
      }
    }
    return breaches;
  }

  /** No workload is pending that an engine with a rebuilt cache would admit at once. */
  public List<String> nothingWaitsThatFits() {
    return rebuilt()
        .read(queues -> Invariants.overlooked(queues, cluster.time().now(), MAX_DECISIONS));
  }

  /** The cache is consistent in itself and with the objects. */
  public List<String> inMemory(QueueCache cache) {
    return Stream.of(cache.read(Invariants::violations), sameAfterRestart(cache))
        .flatMap(List::stream)
        .toList();
  }

  /** The cache agrees with the objects: a restart would change nothing. */
  public List<String> sameAfterRestart(QueueCache cache) {
    return cache.read(StateDump::of).differencesTo(rebuilt().read(StateDump::of));
  }

  private QueueCache rebuilt() {
    return QueueCache.rebuilt(cluster, configuration);
  }
}
