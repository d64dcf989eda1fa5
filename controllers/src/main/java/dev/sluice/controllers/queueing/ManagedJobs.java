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
 * Which jobs are queued. A job is, if its namespace is selected and it names a queue, or if jobs
 * without one are held back too. A job that belongs to a queued one is not queued by itself: the
 * top-most queued job above it stands for the whole family.
 *
 * <p>Threads: safe; it keeps nothing.
 */
public final class ManagedJobs {
  /** How far up owners are followed; whoever nests deeper is told so. */
  public static final int MAX_LEVELS = 10;

  private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

  /** How Go writes what is true. */
  private static final List<String> YES = List.of("1", "t", "T", "true", "TRUE", "True");

  private final Cluster cluster;
  private final Configuration configuration;
  private final List<ResourceKind> ownerKinds;

  public ManagedJobs(Cluster cluster, Configuration configuration) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.ownerKinds = ownerKinds(configuration);
  }

  /** What stands above a job. */
  public sealed interface Ancestry {

    /** Nothing that is queued. */
    record Free() implements Ancestry {}

    /** The top-most job above it that is queued. */
    record Child(ApiObject ancestor) implements Ancestry {}

    /** More levels of owners than are followed. */
    record TooDeep() implements Ancestry {}
  }

  /** The LocalQueue that a job names, empty if none; Jobs may still use the old annotation. */
  public static String queueName(ApiObject job) {
    String label = job.label(KueueNames.QUEUE_NAME);
    return label.isEmpty() && job.isA(Kinds.JOB) ? job.annotation(KueueNames.QUEUE_NAME) : label;
  }

  /** The workload that somebody made for a job, empty if its own is to be made. */
  public static String prebuilt(ApiObject job) {
    return annotationOrLabel(job, KueueNames.PREBUILT_WORKLOAD);
  }

  /** The group a pod belongs to, empty if it stands alone. */
  public static String podGroup(ApiObject pod) {
    return annotationOrLabel(pod, KueueNames.POD_GROUP);
  }

  /** Whether a Job's completions follow its parallelism. */
  public static boolean synchronizes(ApiObject job) {
    return YES.contains(job.annotation(KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM));
  }

  /** Names may be longer than a label allows, so what the annotation says comes first. */
  private static String annotationOrLabel(ApiObject object, String name) {
    String annotation = object.annotation(name);
    return annotation.isEmpty() ? object.label(name) : annotation;
  }

  /** Whether the jobs of a namespace are queued at all, whatever they say themselves. */
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

  /** Whether other jobs may be queued after what happened to a namespace. */
  public static boolean mayChange(ObjectEvent namespace) {
    return namespace.type() == ObjectEvent.Type.ADDED
        || namespace
            .before()
            .filter(before -> !before.labels().equals(namespace.object().labels()))
            .isPresent();
  }

  /** Whether a job asks to be queued, or is queued without being asked. */
  public boolean wantsQueue(ApiObject job) {
    return configuration.manageJobsWithoutQueueName() || !queueName(job).isEmpty();
  }

  /** Whether a job's controller is of a kind that is queued, whether or not that one is. */
  public boolean belongsToJob(ApiObject job) {
    return job.controller().flatMap(this::kind).isPresent();
  }

  /** Whether a job is queued by itself. */
  public boolean manages(ApiObject job) {
    return wantsQueue(job)
        && selectsNamespace(job.namespace())
        && ancestry(job) instanceof Ancestry.Free;
  }

  /**
   * The top-most queued job above this one. Only controllers count as owners, only kinds that are
   * queued here or by others are followed, and an owner counts only if it has the uid that is
   * referred to: another object of its name is a stranger.
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

  /** Kubernetes' own guess; every kind that people queue follows it. */
  private static String plural(String kind) {
    String word = kind.toLowerCase(Locale.ROOT);
    if (word.endsWith("y")) {
      return word.substring(0, word.length() - 1) + "ies";
    }
    return word.endsWith("s") ? word + "es" : word + "s";
  }
}
