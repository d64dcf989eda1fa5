package dev.sluice.controllers.queueing;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.LabelSelector;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.ObjectEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rules that say which jobs are queued. A job is queued if its namespace is selected and it
 * names a queue, or if jobs without a queue name are managed too. A job that is owned by a queued
 * job is not queued itself: its top-most queued ancestor has the workload for all of them.
 *
 * <p>Threads: safe; the class has no state.
 */
public final class ManagedJobs {
  /**
   * The number of levels up to which owners are followed; an event on the job reports deeper
   * nesting.
   */
  public static final int MAX_LEVELS = 10;

  private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

  /** The values that Go parses as true. */
  private static final List<String> YES = List.of("1", "t", "T", "true", "TRUE", "True");

  private final Cluster cluster;
  private final Configuration configuration;
  private final List<ResourceKind> ownerKinds;

  public ManagedJobs(Cluster cluster, Configuration configuration) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.ownerKinds = ownerKinds(configuration);
  }

  /** The queued ancestor of a job. */
  public sealed interface Ancestry {

    /** No ancestor is queued. */
    record Free() implements Ancestry {}

    /** The top-most queued ancestor. */
    record Child(ApiObject ancestor) implements Ancestry {}

    /** The job has more levels of owners than are followed. */
    record TooDeep() implements Ancestry {}
  }

  /** The LocalQueue that a job names, or empty; Jobs may still use the old annotation. */
  public static String queueName(ApiObject job) {
    String label = job.label(KueueNames.QUEUE_NAME);
    return label.isEmpty() && job.isA(Kinds.JOB) ? job.annotation(KueueNames.QUEUE_NAME) : label;
  }

  /** The prebuilt workload that a job names, or empty. */
  public static String prebuilt(ApiObject job) {
    return annotationOrLabel(job, KueueNames.PREBUILT_WORKLOAD);
  }

  /** The pod group of a pod, or empty. */
  public static String podGroup(ApiObject pod) {
    return annotationOrLabel(pod, KueueNames.POD_GROUP);
  }

  /** Whether a Job's completions follow its parallelism. */
  public static boolean synchronizes(ApiObject job) {
    return YES.contains(job.annotation(KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM));
  }

  /** Names may be longer than a label allows, so the annotation comes first. */
  private static String annotationOrLabel(ApiObject object, String name) {
    String annotation = object.annotation(name);
    return annotation.isEmpty() ? object.label(name) : annotation;
  }

  /** Whether the namespace selector selects a namespace; otherwise none of its jobs is queued. */
  public boolean selectsNamespace(String namespace) {
    SortedMap<String, String> labels =
        new TreeMap<>(
            cluster
                .get(Kinds.NAMESPACE.key(namespace))
                .map(ApiObject::labels)
                .orElseGet(TreeMap::new));
    labels.put(NAMESPACE_NAME, namespace);
    return new LabelSelector(configuration.managedJobsNamespaceSelector()).matches(labels);
  }

  /** Whether the labels of a namespace are known. */
  public boolean knowsNamespace(String namespace) {
    return cluster.get(Kinds.NAMESPACE.key(namespace)).isPresent();
  }

  /** Whether an event about a namespace may change which jobs are queued. */
  public static boolean mayChange(ObjectEvent namespace) {
    return namespace.type() == ObjectEvent.Type.ADDED
        || namespace
            .before()
            .filter(before -> !before.labels().equals(namespace.object().labels()))
            .isPresent();
  }

  /** Whether a job names a queue, or jobs without a queue name are managed too. */
  public boolean wantsQueue(ApiObject job) {
    return configuration.manageJobsWithoutQueueName() || !queueName(job).isEmpty();
  }

  /** Whether a job's controller is of a kind that can be queued, whether or not it is queued. */
  public boolean belongsToJob(ApiObject job) {
    return job.controller().flatMap(this::kind).isPresent();
  }

  /** Whether a job is queued itself. */
  public boolean manages(ApiObject job) {
    return wantsQueue(job)
        && selectsNamespace(job.namespace())
        && ancestry(job) instanceof Ancestry.Free;
  }

  /**
   * The top-most queued ancestor of a job. Only controllers count as owners, only kinds of the
   * enabled integrations and external frameworks are followed, and an owner must have the uid of
   * the reference: another object may have its name.
   */
  public Ancestry ancestry(ApiObject job) {
    Ancestry found = new Ancestry.Free();
    Optional<ApiObject> owner = owner(job);
    for (int level = 1; owner.isPresent(); level++) {
      if (level > MAX_LEVELS) {
        return new Ancestry.TooDeep();
      }
      found = wantsQueue(owner.get()) ? new Ancestry.Child(owner.get()) : found;
      owner = owner(owner.get());
    }
    return found;
  }

  private Optional<ApiObject> owner(ApiObject object) {
    Optional<OwnerReference> reference = object.controller();
    return reference
        .flatMap(this::kind)
        .flatMap(kind -> cluster.get(kind.key(object.namespace(), reference.get().name())))
        .filter(owner -> owner.uid().equals(reference.get().uid()));
  }

  private Optional<ResourceKind> kind(OwnerReference reference) {
    return ownerKinds.stream()
        .filter(kind -> kind.kind().equals(reference.kind()))
        .filter(kind -> kind.group().equals(reference.group()))
        .findFirst();
  }

  private static List<ResourceKind> ownerKinds(Configuration configuration) {
    var kinds = new ArrayList<ResourceKind>();
    if (configuration.frameworks().contains("batch/job")) {
      kinds.add(Kinds.JOB);
    }
    if (configuration.frameworks().contains("jobset.x-k8s.io/jobset")) {
      kinds.add(Kinds.JOB_SET);
    }
    if (configuration.frameworks().contains("pod")) {
      kinds.add(Kinds.POD);
    }
    configuration.externalFrameworks().forEach(name -> external(name).ifPresent(kinds::add));
    return List.copyOf(kinds);
  }

  /** The kind that {@code Kind.version.group} names. */
  private static Optional<ResourceKind> external(String name) {
    String[] parts = name.split("\\.", 3);
    return parts.length < 3
        ? Optional.empty()
        : Optional.of(new ResourceKind(parts[2], parts[1], parts[0], plural(parts[0]), true));
  }

  /** The plural that Kubernetes guesses; every kind that can be queued follows it. */
  private static String plural(String kind) {
    String word = kind.toLowerCase(Locale.ROOT);
    if (word.endsWith("y")) {
      return word.substring(0, word.length() - 1) + "ies";
    }
    return word.endsWith("s") ? word + "es" : word + "s";
  }
}
