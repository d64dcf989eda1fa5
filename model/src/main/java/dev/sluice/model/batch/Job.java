package dev.sluice.model.batch;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A batch/v1 Job. */
public record Job(ApiObject object) {
  /** The finalizer that keeps a pod until its Job has counted how it ended. */
  public static final String TRACKING = "batch.kubernetes.io/job-tracking";

  /** The value of {@code managedBy} that means the built-in controller. */
  public static final String BUILT_IN_MANAGER = "kubernetes.io/job-controller";

  private static final String INDEXED = "Indexed";
  private static final String NON_INDEXED = "NonIndexed";
  private static final long DEFAULT_BACKOFF_LIMIT = 6;
  private static final long MAX_DEADLINE = Duration.ofDays(36_500).toSeconds();

  public ObjectKey key() {
    return object.key(Kinds.JOB);
  }

  public String name() {
    return object.name();
  }

  public String namespace() {
    return object.namespace();
  }

  public long parallelism() {
    return object.spec().whole("parallelism").orElse(1);
  }

  /** The completions; empty if any successful pod completes the Job. */
  public OptionalLong completions() {
    return object.spec().whole("completions");
  }

  public long backoffLimit() {
    return object.spec().whole("backoffLimit").orElse(DEFAULT_BACKOFF_LIMIT);
  }

  /** The active deadline; centuries are cut, so that times stay in range. */
  public Optional<Duration> activeDeadline() {
    OptionalLong seconds = object.spec().whole("activeDeadlineSeconds");
    return seconds.isPresent()
        ? Optional.of(Duration.ofSeconds(Math.min(seconds.getAsLong(), MAX_DEADLINE)))
        : Optional.empty();
  }

  public boolean isSuspended() {
    return object.spec().flag("suspend");
  }

  public boolean isNonIndexed() {
    String mode = object.spec().text("completionMode");
    return mode.isEmpty() || mode.equals(NON_INDEXED);
  }

  public boolean isIndexed() {
    return object.spec().text("completionMode").equals(INDEXED);
  }

  /** The number of pod failures after which an index fails; empty if indexes do not fail. */
  public OptionalLong backoffLimitPerIndex() {
    return object.spec().whole("backoffLimitPerIndex");
  }

  /** The number of failed indexes after which the Job fails; empty if it does not fail early. */
  public OptionalLong maxFailedIndexes() {
    return object.spec().whole("maxFailedIndexes");
  }

  public List<FailureRule> failureRules() {
    return object.spec().trees("podFailurePolicy", "rules").stream().map(FailureRule::new).toList();
  }

  public List<SuccessRule> successRules() {
    return object.spec().trees("successPolicy", "rules").stream().map(SuccessRule::new).toList();
  }

  /** The time after which a finished Job is deleted; empty if it is kept. */
  public Optional<Duration> timeToLive() {
    OptionalLong seconds = object.spec().whole("ttlSecondsAfterFinished");
    return seconds.isPresent()
        ? Optional.of(Duration.ofSeconds(seconds.getAsLong()))
        : Optional.empty();
  }

  /** Whether {@code manualSelector} is set, so that the server does not generate the selector. */
  public boolean choosesSelector() {
    return object.spec().flag("manualSelector");
  }

  /** Which pods are the Job's. */
  public Tree selector() {
    return object.spec().tree("selector");
  }

  /** Whether the built-in Job controller manages it. */
  public boolean isManagedHere() {
    String manager = object.spec().text("managedBy");
    return manager.isEmpty() || manager.equals(BUILT_IN_MANAGER);
  }

  /** Whether a terminating pod is replaced only once it has failed. */
  public boolean replacesOnlyFailed() {
    return object.spec().text("podReplacementPolicy").equals("Failed")
        || object.spec().has("podFailurePolicy");
  }

  public Tree template() {
    return object.spec().tree("template");
  }

  public PodSpec podSpec() {
    return new PodSpec(template().tree("spec"));
  }

  public JobStatus status() {
    return new JobStatus(object.status());
  }

  public boolean isFinished() {
    return status().holds(JobStatus.COMPLETE) || status().holds(JobStatus.FAILED);
  }

  public Job withSuspend(boolean suspend) {
    return new Job(object.with(List.of("spec", "suspend"), suspend));
  }

  public Job withParallelism(long parallelism) {
    return new Job(object.with(List.of("spec", "parallelism"), parallelism));
  }

  public Job withCompletions(long completions) {
    return new Job(object.with(List.of("spec", "completions"), completions));
  }

  public Job withTemplate(Tree template) {
    return new Job(object.with(List.of("spec", "template"), template));
  }

  public Job withStatus(JobStatus status) {
    return new Job(object.withStatus(status.tree()));
  }

  /**
   * A pod of this Job without a name: from the template, with the tracking finalizer, and owned by
   * the Job.
   */
  public ApiObject pod() {
    Tree metadata = template().tree("metadata");
    ApiObject bare = ApiObject.of(Kinds.POD, namespace(), "");
    for (String inherited : List.of("labels", "annotations", "finalizers")) {
      bare = metadata.has(inherited) ? bare.withMetadata(inherited, metadata.at(inherited)) : bare;
    }
    return bare.withFinalizer(TRACKING).controlledBy(object).withSpec(template().tree("spec"));
  }

  /** The same with a name. */
  public ApiObject pod(String name, String generateName) {
    return pod().withMetadata("name", name).withMetadata("generateName", generateName);
  }
}
