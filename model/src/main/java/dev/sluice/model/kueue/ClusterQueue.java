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

/** A pool of resources, and the rules by which the workloads of its queues share it. */
public record ClusterQueue(ApiObject object) {
  /** The condition that says whether workloads can be admitted. */
  public static final String ACTIVE = "Active";

  /** Which workloads of others may be evicted. */
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

  /** The cohort it shares quota with; empty if it stands alone. */
  public String cohort() {
    return object.spec().text("cohortName");
  }

  /** Whether a workload that does not fit holds up those behind it. */
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

  /** Whether the next flavor is tried although this one has room to borrow. */
  public boolean triesNextRatherThanBorrow() {
    return object.spec().text("flavorFungibility", "whenCanBorrow").equals("TryNextFlavor");
  }

  /** Whether the next flavor is tried although this one has room after preemption. */
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

  /** Whether it may evict others while it borrows itself. */
  public boolean preemptsWhileBorrowing() {
    return object.spec().text("preemption", "borrowWithinCohort", "policy").equals("LowerPriority");
  }

  /** Above which priority workloads are safe from one that borrows. */
  public OptionalInt borrowingPriorityThreshold() {
    var threshold = object.spec().whole("preemption", "borrowWithinCohort", "maxPriorityThreshold");
    return threshold.isPresent()
        ? OptionalInt.of((int) threshold.getAsLong())
        : OptionalInt.empty();
  }

  public Quantity fairWeight() {
    return FairSharing.weight(object);
  }

  /** Whether its LocalQueues take turns by what they used before. */
  public boolean sharesByUsage() {
    return object
        .spec()
        .text("admissionScope", "admissionMode")
        .equals("UsageBasedAdmissionFairSharing");
  }

  /**
   * How its workloads are tried on several flavors side by side.
   *
   * @param migrates whether one that was admitted still tries the flavors before its own
   * @param lastAcceptable the last flavor to move to; empty if it may be any
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

  /**
   * The checks its workloads must pass, by name, with the flavors they are for; no flavors mean
   * all.
   */
  public SortedMap<String, List<String>> admissionChecks() {
    var checks = new TreeMap<String, List<String>>();
    for (Tree check : object.spec().trees("admissionChecksStrategy", "admissionChecks")) {
      checks.put(check.text("name"), check.textItems("onFlavors"));
    }
    return Collections.unmodifiableSortedMap(checks);
  }
}
