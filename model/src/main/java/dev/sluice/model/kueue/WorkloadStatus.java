package dev.sluice.model.kueue;

import dev.sluice.model.Amounts;
import dev.sluice.model.Condition;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The status of a workload. */
public record WorkloadStatus(Tree tree) {
  public static final String QUOTA_RESERVED = "QuotaReserved";
  public static final String ADMITTED = "Admitted";
  public static final String EVICTED = "Evicted";
  public static final String PREEMPTED = "Preempted";
  public static final String REQUEUED = "Requeued";
  public static final String PODS_READY = "PodsReady";
  public static final String FINISHED = "Finished";
  public static final String DEACTIVATION_TARGET = "DeactivationTarget";
  public static final String WAITING_FOR_REPLACEMENT_PODS = "WaitingForReplacementPods";
  public static final String BLOCKED_ON_PREEMPTION_GATES = "BlockedOnPreemptionGates";

  /** Whether a condition is True. */
  public boolean holds(String type) {
    return Condition.holds(tree, type);
  }

  /** Whether a condition is present and False. */
  public boolean denies(String type) {
    return Condition.find(tree, type).map(one -> one.text("status").equals("False")).orElse(false);
  }

  /** The reason of a condition; empty if it is missing. */
  public String reason(String type) {
    return Condition.find(tree, type).map(one -> one.text("reason")).orElse("");
  }

  /** The message of a condition; empty if it is missing. */
  public String message(String type) {
    return Condition.find(tree, type).map(one -> one.text("message")).orElse("");
  }

  /** The last transition time of a condition. */
  public Optional<Instant> since(String type) {
    return Condition.since(tree, type);
  }

  public WorkloadStatus with(Condition condition, Instant now) {
    return new WorkloadStatus(condition.in(tree, now));
  }

  public WorkloadStatus withoutCondition(String type) {
    return new WorkloadStatus(Condition.without(tree, type));
  }

  /** The ClusterQueue of the {@link #admission}, without parsing all of it. */
  public Optional<String> clusterQueue() {
    return reservation().map(admission -> admission.text("clusterQueue"));
  }

  /** The admission, while quota is reserved; without the condition, the field says nothing. */
  public Optional<Admission> admission() {
    return reservation().map(Admission::of);
  }

  private Optional<Tree> reservation() {
    return tree.at("admission") instanceof Tree admission && holds(QUOTA_RESERVED)
        ? Optional.of(admission)
        : Optional.empty();
  }

  /**
   * Whether an admission is left although no quota is reserved. A client that applies the condition
   * False cannot remove a field that another manager owns.
   */
  public boolean hasStaleAdmission() {
    return tree.has("admission") && !holds(QUOTA_RESERVED);
  }

  public WorkloadStatus withAdmission(Admission admission) {
    return new WorkloadStatus(tree.with("admission", admission.tree()));
  }

  public WorkloadStatus withoutAdmission() {
    return new WorkloadStatus(tree.without("admission"));
  }

  /** The number of times it was requeued because its pods were not ready. */
  public int requeues() {
    return (int) tree.whole("requeueState", "count").orElse(0);
  }

  /** The time before which it must not be requeued. */
  public Optional<Instant> requeueAt() {
    return Timestamps.parse(tree.text("requeueState", "requeueAt"));
  }

  public WorkloadStatus withRequeue(int count, Instant at) {
    return new WorkloadStatus(
        tree.with("requeueState", Tree.of("count", count, "requeueAt", Timestamps.format(at))));
  }

  /** With the same count, or none, and a time before which it must not be requeued. */
  public WorkloadStatus withRequeueAt(Instant at) {
    return new WorkloadStatus(
        tree.with(List.of("requeueState", "requeueAt"), Timestamps.format(at)));
  }

  /** With the same count, and without the time before which it must not be requeued. */
  public WorkloadStatus withoutRequeueAt() {
    return new WorkloadStatus(tree.without(List.of("requeueState", "requeueAt")));
  }

  public WorkloadStatus withoutRequeueState() {
    return new WorkloadStatus(tree.without("requeueState"));
  }

  /** Whether quota is reserved but some pod sets have no topology assignment yet. */
  public boolean awaitsTopology() {
    return tree.trees("admission", "podSetAssignments").stream()
        .anyMatch(one -> one.text("delayedTopologyRequest").equals("Pending"));
  }

  /** With every preemption gate closed. */
  public WorkloadStatus withPreemptionGatesClosed(Instant now) {
    if (!tree.has("preemptionGates")) {
      return this;
    }
    List<Tree> gates =
        tree.trees("preemptionGates").stream().map(gate -> closed(gate, now)).toList();
    return new WorkloadStatus(tree.with("preemptionGates", Items.of(gates)));
  }

  private static Tree closed(Tree gate, Instant now) {
    return gate.text("position").equals("Closed")
        ? gate
        : gate.with("position", "Closed").with("lastTransitionTime", Timestamps.format(now));
  }

  /** The time at which a preemption gate was opened; empty while it is closed. */
  public Optional<Instant> gateOpenSince(String name) {
    return tree.trees("preemptionGates").stream()
        .filter(gate -> gate.text("name").equals(name) && gate.text("position").equals("Open"))
        .map(gate -> Timestamps.parse(gate.text("lastTransitionTime")).orElse(Instant.EPOCH))
        .findFirst();
  }

  /** With a preemption gate open. */
  public WorkloadStatus withPreemptionGateOpen(String name, Instant now) {
    var gates = new ArrayList<>(tree.trees("preemptionGates"));
    gates.removeIf(gate -> gate.text("name").equals(name));
    gates.add(
        Tree.of("name", name, "position", "Open", "lastTransitionTime", Timestamps.format(now)));
    return new WorkloadStatus(tree.with("preemptionGates", Items.of(gates)));
  }

  /** The number of reclaimable pods of each pod set. */
  public SortedMap<String, Integer> reclaimablePods() {
    var counts = new TreeMap<String, Integer>();
    tree.trees("reclaimablePods")
        .forEach(one -> counts.put(one.text("name"), (int) one.whole("count").orElse(0)));
    return counts;
  }

  public WorkloadStatus withReclaimablePods(SortedMap<String, Integer> counts) {
    var entries = new ArrayList<Tree>();
    counts.forEach((podSet, count) -> entries.add(Tree.of("name", podSet, "count", count)));
    return new WorkloadStatus(tree.with("reclaimablePods", Items.of(entries)));
  }

  public List<CheckState> admissionChecks() {
    return tree.trees("admissionChecks").stream().map(CheckState::new).toList();
  }

  public WorkloadStatus withAdmissionChecks(List<CheckState> checks) {
    return checks.isEmpty()
        ? new WorkloadStatus(tree.without("admissionChecks"))
        : new WorkloadStatus(
            tree.with("admissionChecks", Items.of(checks.stream().map(CheckState::tree).toList())));
  }

  /** With the total requests of each pod set of a pending workload, as quota counts them. */
  public WorkloadStatus withResourceRequests(SortedMap<String, Amounts> byPodSet) {
    if (byPodSet.isEmpty()) {
      return new WorkloadStatus(tree.without("resourceRequests"));
    }
    var entries = new ArrayList<Tree>();
    byPodSet.forEach(
        (podSet, total) -> entries.add(Tree.of("name", podSet, "resources", total.tree())));
    return new WorkloadStatus(tree.with("resourceRequests", Items.of(entries)));
  }

  /** The accumulated execution time of earlier admissions. */
  public Duration accumulatedExecutionTime() {
    return Duration.ofSeconds(tree.whole("accumulatedPastExecutionTimeSeconds").orElse(0));
  }

  public WorkloadStatus withAccumulatedExecutionTime(Duration past) {
    return new WorkloadStatus(
        past.isZero()
            ? tree.without("accumulatedPastExecutionTimeSeconds")
            : tree.with("accumulatedPastExecutionTimeSeconds", past.toSeconds()));
  }

  /**
   * The number of evictions for a reason.
   *
   * @param cause the underlying cause; empty if there is none
   */
  public record Evictions(String reason, String cause, int count) {}

  /** The evictions by reason and cause, in the order of their last occurrence. */
  public List<Evictions> evictions() {
    return tree.trees("schedulingStats", "evictions").stream()
        .map(one ->
            new Evictions(
                one.text("reason"),
                one.text("underlyingCause"),
                (int) one.whole("count").orElse(0)))
        .toList();
  }

  /** The number of evictions for a reason and an underlying cause, which may be empty. */
  public int evictions(String reason, String cause) {
    return evictions().stream()
        .filter(one -> one.reason().equals(reason) && one.cause().equals(cause))
        .mapToInt(Evictions::count)
        .findFirst()
        .orElse(0);
  }

  /** With one more eviction counted. */
  public WorkloadStatus withEviction(String reason, String cause) {
    var entries = new ArrayList<Tree>();
    for (Tree one : tree.trees("schedulingStats", "evictions")) {
      if (!one.text("reason").equals(reason) || !one.text("underlyingCause").equals(cause)) {
        entries.add(one);
      }
    }
    entries.add(
        Tree.of("reason", reason, "underlyingCause", cause, "count", evictions(reason, cause) + 1));
    return new WorkloadStatus(
        tree.with(List.of("schedulingStats", "evictions"), Items.of(entries)));
  }

  /** Without a field that eviction or dispatch clears. */
  public WorkloadStatus without(String field) {
    return new WorkloadStatus(tree.without(field));
  }
}
