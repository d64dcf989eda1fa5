package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A ClusterQueue: a pool of resources, and the rules by which the workloads of its LocalQueues
 * share it.
 */
public record ClusterQueue(ApiObject object) {
  /** The condition that is True while workloads can be admitted. */
  public static final String ACTIVE = "Active";

  /** The workloads that may be preempted. */
  public enum PreemptionPolicy {
    NEVER,
    LOWER_PRIORITY,
    LOWER_OR_NEWER_EQUAL_PRIORITY,
    ANY;

    private static PreemptionPolicy of(String word) {
      return switch (word) {
        case "LowerPriority" -> LOWER_PRIORITY;
        case "LowerOrNewerEqualPriority" -> LOWER_OR_NEWER_EQUAL_PRIORITY;
        case "Any" -> ANY;
        default -> NEVER;
      };
    }
  }

  public String name() {
    return object.name();
  }

  /** The cohort; empty if it has none. */
  public String cohort() {
    return object.spec().text("cohortName");
  }

  /** Whether a head that does not fit blocks the workloads behind it: StrictFIFO. */
  public boolean strict() {
    return object.spec().text("queueingStrategy").equals("StrictFIFO");
  }

  public StopPolicy stopPolicy() {
    return StopPolicy.of(object);
  }

  /** The label selector for namespaces; a missing one selects none. */
  public Optional<Tree> namespaceSelector() {
    return object.spec().at("namespaceSelector") instanceof Tree selector
        ? Optional.of(selector)
        : Optional.empty();
  }

  public List<ResourceGroup> resourceGroups() {
    return ResourceGroup.of(object);
  }

  /** Whether the next flavor is tried before borrowing in this one. */
  public boolean triesNextRatherThanBorrow() {
    return object.spec().text("flavorFungibility", "whenCanBorrow").equals("TryNextFlavor");
  }

  /** Whether the next flavor is tried before preempting in this one. */
  public boolean triesNextRatherThanPreempt() {
    return !object.spec().text("flavorFungibility", "whenCanPreempt").equals("MayStopSearch");
  }

  /** Whether a flavor that needs preemption is preferred to one that needs borrowing. */
  public boolean prefersPreemptionToBorrowing() {
    return object.spec().text("flavorFungibility", "preference").equals("PreemptionOverBorrowing");
  }

  public PreemptionPolicy withinClusterQueue() {
    return PreemptionPolicy.of(object.spec().text("preemption", "withinClusterQueue"));
  }

  public PreemptionPolicy reclaimWithinCohort() {
    return PreemptionPolicy.of(object.spec().text("preemption", "reclaimWithinCohort"));
  }

  /** Whether it may preempt while borrowing. */
  public boolean preemptsWhileBorrowing() {
    return object.spec().text("preemption", "borrowWithinCohort", "policy").equals("LowerPriority");
  }

  /** The priority above which workloads are not preempted by one that borrows. */
  public OptionalInt borrowingPriorityThreshold() {
    var threshold = object.spec().whole("preemption", "borrowWithinCohort", "maxPriorityThreshold");
    return threshold.isPresent()
        ? OptionalInt.of((int) threshold.getAsLong())
        : OptionalInt.empty();
  }

  public Quantity fairWeight() {
    return FairSharing.weight(object);
  }

  /** Whether admission fair sharing orders the workloads of its LocalQueues by past usage. */
  public boolean sharesByUsage() {
    return object
        .spec()
        .text("admissionScope", "admissionMode")
        .equals("UsageBasedAdmissionFairSharing");
  }

  /**
   * Concurrent admission of its workloads, which are tried on several flavors in parallel.
   *
   * @param migrates whether an admitted workload still tries the flavors before its own
   * @param lastAcceptable the last flavor to migrate to; empty for any
   */
  public record ConcurrentAdmission(boolean migrates, String lastAcceptable) {}

  public Optional<ConcurrentAdmission> concurrentAdmission() {
    if (!(object.spec().at("concurrentAdmissionPolicy") instanceof Tree policy)) {
      return Optional.empty();
    }
    return Optional.of(
        new ConcurrentAdmission(
            !policy.text("migration", "mode").equals("RetainFirstAdmission"),
            policy.text("migration", "constraints", "lastAcceptableFlavorName")));
  }

  /** The admission checks by name, with the flavors they apply to; no flavors means all. */
  public SortedMap<String, List<String>> admissionChecks() {
    var checks = new TreeMap<String, List<String>>();
    for (Tree check : object.spec().trees("admissionChecksStrategy", "admissionChecks")) {
      checks.put(check.text("name"), check.textItems("onFlavors"));
    }
    return Collections.unmodifiableSortedMap(checks);
  }
}
