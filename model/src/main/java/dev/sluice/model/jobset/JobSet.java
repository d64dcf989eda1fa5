package dev.sluice.model.jobset;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A JobSet: replicated Jobs that start, fail and finish together. */
public record JobSet(ApiObject object) {
  /** The value of {@code managedBy} that means the JobSet controller. */
  public static final String CONTROLLER = "jobset.sigs.k8s.io/jobset-controller";

  public static final String COMPLETED = "Completed";
  public static final String FAILED = "Failed";
  public static final String SUSPENDED = "Suspended";
  public static final String RESTARTING = "RestartingJobSet";
  public static final String STARTUP_IN_PROGRESS = "StartupPolicyInProgress";
  public static final String STARTUP_COMPLETED = "StartupPolicyCompleted";

  /** How the Jobs of the last attempt make room for those of the next. */
  public enum RestartStrategy {
    /** Each Job is made again once its predecessor is gone. */
    RECREATE,
    /** No Job is made again before all predecessors are gone. */
    BLOCKING_RECREATE
  }

  /** A claim template of a volume claim policy. */
  public record ClaimTemplate(Tree tree, boolean keptWithoutJobSet) {
    public String name() {
      return tree.text("metadata", "name");
    }
  }

  public ObjectKey key() {
    return object.key(Kinds.JOB_SET);
  }

  public String name() {
    return object.name();
  }

  public String namespace() {
    return object.namespace();
  }

  public List<ReplicatedJob> replicatedJobs() {
    return object.spec().trees("replicatedJobs").stream().map(ReplicatedJob::new).toList();
  }

  public JobSet withReplicatedJobs(List<ReplicatedJob> jobs) {
    List<Tree> trees = jobs.stream().map(ReplicatedJob::tree).toList();
    return new JobSet(object.with(List.of("spec", "replicatedJobs"), Items.of(trees)));
  }

  /** How many Jobs it has in all. */
  public long replicas() {
    return replicatedJobs().stream().mapToLong(ReplicatedJob::replicas).sum();
  }

  public boolean isSuspended() {
    return object.spec().flag("suspend");
  }

  public JobSet withSuspend(boolean suspend) {
    return new JobSet(object.with(List.of("spec", "suspend"), suspend));
  }

  /** Whether the controller of this program or of the JobSet project manages it. */
  public boolean isManagedHere() {
    String manager = object.spec().text("managedBy");
    return manager.isEmpty() || manager.equals(CONTROLLER);
  }

  public boolean isFinished() {
    return holds(COMPLETED) || holds(FAILED);
  }

  public boolean holds(String condition) {
    return Condition.holds(object.status(), condition);
  }

  /** When it completed or failed. */
  public Optional<Instant> finished() {
    return Stream.of(COMPLETED, FAILED)
        .filter(this::holds)
        .findFirst()
        .flatMap(type -> Condition.since(object.status(), type));
  }

  /** The time after which a finished JobSet is deleted; empty if it is kept. */
  public Optional<Duration> timeToLive() {
    return object.spec().whole("ttlSecondsAfterFinished").stream()
        .mapToObj(Duration::ofSeconds)
        .findFirst();
  }

  /** Whether its pods have names that others find by DNS. */
  public boolean hasHostnames() {
    return !object.spec().has("network") || object.spec().flag("network", "enableDNSHostnames");
  }

  public boolean publishesNotReady() {
    return !object.spec().tree("network").has("publishNotReadyAddresses")
        || object.spec().flag("network", "publishNotReadyAddresses");
  }

  /** The name of its headless Service. */
  public String subdomain() {
    String subdomain = object.spec().text("network", "subdomain");
    return subdomain.isEmpty() ? name() : subdomain;
  }

  public boolean startsInOrder() {
    return object.spec().text("startupPolicy", "startupPolicyOrder").equals("InOrder");
  }

  /** Whether one success is enough; otherwise all Jobs must succeed. */
  public boolean succeedsWithAny() {
    return object.spec().text("successPolicy", "operator").equals("Any");
  }

  /** Whether the success of a replicated job counts. */
  public boolean countsSuccessOf(String replicatedJob) {
    List<String> targets = object.spec().textItems("successPolicy", "targetReplicatedJobs");
    return targets.isEmpty() || targets.contains(replicatedJob);
  }

  public boolean hasFailurePolicy() {
    return object.spec().has("failurePolicy");
  }

  public long maxRestarts() {
    return object.spec().whole("failurePolicy", "maxRestarts").orElse(0);
  }

  public RestartStrategy restartStrategy() {
    return object.spec().text("failurePolicy", "restartStrategy").equals("BlockingRecreate")
        ? RestartStrategy.BLOCKING_RECREATE
        : RestartStrategy.RECREATE;
  }

  public List<JobSetFailureRule> failureRules() {
    return object.spec().trees("failurePolicy", "rules").stream()
        .map(JobSetFailureRule::new)
        .toList();
  }

  /** The coordinator; empty if it has none. */
  public Optional<Coordinator> coordinator() {
    Tree coordinator = object.spec().tree("coordinator");
    return coordinator.isEmpty() ? Optional.empty() : Optional.of(new Coordinator(coordinator));
  }

  /** The address of the pod that coordinates the others. */
  public Optional<String> coordinatorEndpoint() {
    return coordinator()
        .map(pod ->
            "%s-%d.%s"
                .formatted(
                    jobName(pod.replicatedJob(), pod.jobIndex()), pod.podIndex(), subdomain()));
  }

  /** The name of the Job of a replicated job at an index. */
  public String jobName(String replicatedJob, long index) {
    return name() + "-" + replicatedJob + "-" + index;
  }

  public List<ClaimTemplate> claimTemplates() {
    return object.spec().trees("volumeClaimPolicies").stream()
        .flatMap(policy -> {
          boolean kept = policy.text("retentionPolicy", "whenDeleted").equals("Retain");
          return policy.trees("templates").stream().map(tree -> new ClaimTemplate(tree, kept));
        })
        .toList();
  }

  /** The name of the claim of a template. */
  public String claimName(ClaimTemplate template) {
    return template.name() + "-" + name();
  }

  /** How often all Jobs were made again. */
  public long restarts() {
    return object.status().whole("restarts").orElse(0);
  }

  /** The restarts that count towards {@link #maxRestarts}. */
  public long countedRestarts() {
    return object.status().whole("restartsCountTowardsMax").orElse(0);
  }
}
