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
 * The settings of Kueue's Configuration that decisions and controllers depend on.
 *
 * @param namespace the namespace of the manager
 * @param manageJobsWithoutQueueName whether jobs without a queue name are suspended too
 * @param managedJobsNamespaceSelector the label selector of the namespaces whose jobs are queued
 * @param waitForPodsReady the timeouts for pods to become ready; empty if disabled
 * @param frameworks the names of the enabled integrations, such as {@code batch/job}
 * @param externalFrameworks the kinds that other controllers queue, as {@code Kind.version.group}
 * @param labelKeysToCopy the labels that are copied from a job to its workload
 * @param annotationKeysToCopy the annotations that are copied from a job to its workload
 * @param fairSharing fair sharing; empty if preemption goes by priority alone
 * @param usageSharing admission fair sharing; empty if disabled
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

  /** The configuration of a manager without a file: it queues the kinds that every cluster has. */
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

  /** The same, but quota excludes the resources with these prefixes and transforms none. */
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
   * The timeouts for pods to become ready, and the requeuing strategy after them.
   *
   * @param recoveryTimeout the time for pods to become ready again; empty means forever
   * @param timestampOfEviction whether an evicted workload is ordered by the time of its eviction
   * @param backoffLimit the number of evictions after which a workload is deactivated; empty means
   *     never
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

  /**
   * The preemption strategies by which queues with a lower share may preempt those with a higher
   * one.
   */
  public record FairSharing(List<Strategy> strategies) {
    /** A rule that compares the shares of the preemptor's and the victim's queue. */
    public enum Strategy {
      LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
      LESS_THAN_INITIAL_SHARE
    }

    public FairSharing {
      strategies = List.copyOf(strategies);
    }
  }

  /**
   * Admission fair sharing: how the past usage of LocalQueues decays and counts.
   *
   * @param halfLife the half-life of past usage; zero means that past usage does not count
   * @param weights the weights of resources; others have 1
   */
  public record UsageSharing(
      Duration halfLife, Duration samplingInterval, SortedMap<String, BigDecimal> weights) {
    public UsageSharing {
      weights = Collections.unmodifiableSortedMap(new TreeMap<>(weights));
    }
  }

  /**
   * The rules by which the requests of pods become requests for quota.
   *
   * @param ignoresUndeclared whether a resource without quota is ignored instead of blocking
   *     admission
   */
  public record ResourceRules(RequestRules requests, boolean ignoresUndeclared) {
    public static final ResourceRules NONE = new ResourceRules(RequestRules.NONE, false);
  }

  /** The retention of finished and deactivated objects; empty means forever. */
  public record Retention(
      Optional<Duration> afterFinished, Optional<Duration> afterDeactivatedByKueue) {
    public static final Retention NONE = new Retention(Optional.empty(), Optional.empty());
  }
}
