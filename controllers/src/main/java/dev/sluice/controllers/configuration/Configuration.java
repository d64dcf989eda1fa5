package dev.sluice.controllers.configuration;

import dev.sluice.controllers.configuration.file.SelectorSection;
import dev.sluice.engine.requests.RequestRules;
import dev.sluice.model.tree.Tree;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What an administrator decides for the whole installation, as far as decisions and controllers
 * look at it.
 *
 * @param namespace where the manager lives
 * @param manageJobsWithoutQueueName whether jobs that name no queue are held back too
 * @param managedJobsNamespaceSelector the label selector of the namespaces whose jobs are queued
 * @param waitForPodsReady empty if pods that never become ready are not watched
 * @param frameworks the names of the job kinds that are queued, such as {@code batch/job}
 * @param externalFrameworks kinds that others queue, as {@code Kind.version.group}
 * @param labelKeysToCopy labels of a job that its workload gets
 * @param annotationKeysToCopy annotations of a job that its workload gets
 * @param fairSharing empty if preemption goes by priority alone
 * @param usageSharing how LocalQueues take turns by past usage; empty if they do not
 */
public record Configuration(
    String namespace,
    boolean manageJobsWithoutQueueName,
    Tree managedJobsNamespaceSelector,
    Optional<WaitForPodsReady> waitForPodsReady,
    Set<String> frameworks,
    List<String> externalFrameworks,
    List<String> labelKeysToCopy,
    List<String> annotationKeysToCopy,
    Optional<FairSharing> fairSharing,
    Optional<UsageSharing> usageSharing,
    ResourceRules resources,
    Retention retention,
    Set<Gate> gates) {

  /** What holds without a file. */
  public static final Configuration DEFAULT =
      new Configuration(
          "kueue-system",
          false,
          SelectorSection.allNamespacesBut("kube-system", "kueue-system"),
          Optional.of(WaitForPodsReady.DEFAULT),
          frameworks("batch/job", "pod"),
          List.of(),
          List.of(),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          ResourceRules.NONE,
          Retention.NONE,
          Gate.ON_BY_DEFAULT);

  private static Set<String> frameworks(String... names) {
    return Collections.unmodifiableSet(new TreeSet<>(List.of(names)));
  }

  public boolean has(Gate gate) {
    return gates.contains(gate);
  }

  /** The same, in which quota counts no resources whose names begin so, and transforms none. */
  public Configuration excluding(List<String> prefixes) {
    return new Configuration(
        namespace,
        manageJobsWithoutQueueName,
        managedJobsNamespaceSelector,
        waitForPodsReady,
        frameworks,
        externalFrameworks,
        labelKeysToCopy,
        annotationKeysToCopy,
        fairSharing,
        usageSharing,
        new ResourceRules(new RequestRules(prefixes, List.of()), resources.ignoresUndeclared()),
        retention,
        gates);
  }

  /**
   * How long pods may take to become ready, and what happens then.
   *
   * @param recoveryTimeout how long pods that were ready may be missing; empty means forever
   * @param timestampOfEviction whether an evicted workload queues by when it was evicted
   * @param backoffLimit after how many evictions it is given up; empty means never
   */
  public record WaitForPodsReady(
      Duration timeout,
      boolean blockAdmission,
      Optional<Duration> recoveryTimeout,
      boolean timestampOfEviction,
      OptionalInt backoffLimit,
      Duration backoffBase,
      Duration backoffMax) {
    public static final WaitForPodsReady DEFAULT =
        new WaitForPodsReady(
            Duration.ofMinutes(30),
            false,
            Optional.of(Duration.ofMinutes(30)),
            true,
            OptionalInt.empty(),
            Duration.ofMinutes(1),
            Duration.ofHours(1));
  }

  /** By which rules queues with a lower share may evict workloads of queues with a higher one. */
  public record FairSharing(List<Strategy> strategies) {
    /** A rule that compares the share of who evicts with the share of who is evicted. */
    public enum Strategy {
      LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
      LESS_THAN_INITIAL_SHARE
    }

    public FairSharing {
      strategies = List.copyOf(strategies);
    }
  }

  /**
   * How past usage of LocalQueues is remembered.
   *
   * @param halfLife after which half of it is forgotten; zero means it is not remembered
   * @param weights how much a unit of each resource counts; others count 1
   */
  public record UsageSharing(
      Duration halfLife, Duration samplingInterval, SortedMap<String, BigDecimal> weights) {
    public UsageSharing {
      weights = Collections.unmodifiableSortedMap(new TreeMap<>(weights));
    }
  }

  /**
   * How the requests of pods become requests for quota.
   *
   * @param ignoresUndeclared whether what a queue has no quota for is free, not forbidden
   */
  public record ResourceRules(RequestRules requests, boolean ignoresUndeclared) {
    public static final ResourceRules NONE = new ResourceRules(RequestRules.NONE, false);
  }

  /** How long objects are kept after their end; empty means forever. */
  public record Retention(
      Optional<Duration> afterFinished, Optional<Duration> afterDeactivatedByKueue) {
    public static final Retention NONE = new Retention(Optional.empty(), Optional.empty());
  }
}
