package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A Workload: the pod sets of a job, and its admission. */
public record Workload(ApiObject object) {

  /** A new workload in a queue, or in none if {@code queueName} is empty. */
  public static Workload of(String namespace, String name, String queueName, List<PodSet> podSets) {
    return new Workload(
            ApiObject.of(Kinds.WORKLOAD, namespace, name).withFinalizer(KueueNames.IN_USE))
        .withPodSets(podSets)
        .withQueueName(queueName);
  }

  public String queueName() {
    return object.spec().text("queueName");
  }

  public int priority() {
    return (int) object.spec().whole("priority").orElse(0);
  }

  public Optional<PriorityClassRef> priorityClass() {
    return object.spec().at("priorityClassRef") instanceof Tree reference
        ? Optional.of(PriorityClassRef.of(reference))
        : Optional.empty();
  }

  /** Whether it is active; users and controllers deactivate and activate it. */
  public boolean active() {
    return !object.spec().has("active") || object.spec().flag("active");
  }

  /** The maximum execution time, over all admissions. */
  public Optional<Duration> maximumExecutionTime() {
    var seconds = object.spec().whole("maximumExecutionTimeSeconds");
    return seconds.isPresent()
        ? Optional.of(Duration.ofSeconds(seconds.getAsLong()))
        : Optional.empty();
  }

  public List<PodSet> podSets() {
    return object.spec().trees("podSets").stream().map(PodSet::new).toList();
  }

  /** In another queue; an empty name, which the definition does not allow, removes the field. */
  public Workload withQueueName(String queueName) {
    List<String> field = List.of("spec", "queueName");
    return new Workload(
        queueName.isEmpty() ? object.without(field) : object.with(field, queueName));
  }

  public Workload withPriority(int priority) {
    return new Workload(object.with(List.of("spec", "priority"), priority));
  }

  /** With a priority from a class. */
  public Workload withPriority(PriorityClassRef reference, int priority) {
    return new Workload(
        withPriority(priority).object.with(List.of("spec", "priorityClassRef"), reference.tree()));
  }

  /** Without a priority class; the priority stays. */
  public Workload withoutPriorityClass() {
    return new Workload(object.without(List.of("spec", "priorityClassRef")));
  }

  public Workload withActive(boolean active) {
    return new Workload(object.with(List.of("spec", "active"), active));
  }

  public Workload withMaximumExecutionTime(Duration limit) {
    return new Workload(
        object.with(List.of("spec", "maximumExecutionTimeSeconds"), limit.toSeconds()));
  }

  public Workload withoutMaximumExecutionTime() {
    return new Workload(object.without(List.of("spec", "maximumExecutionTimeSeconds")));
  }

  public Workload withPodSets(List<PodSet> podSets) {
    return new Workload(
        object.with(List.of("spec", "podSets"), podSets.stream().map(PodSet::tree).toList()));
  }

  /** The parent of a variant; empty if it is not a variant. */
  public Optional<OwnerReference> parent() {
    return object
        .controller()
        .filter(owner -> owner.kind().equals(Kinds.WORKLOAD.kind()))
        .filter(owner -> owner.group().equals(Kinds.WORKLOAD.group()))
        .filter(_ -> !allowedFlavor().isEmpty());
  }

  /** The allowed flavor of a variant. */
  public String allowedFlavor() {
    return object.annotation(KueueNames.ALLOWED_FLAVORS);
  }

  /** Whether its variants are queued in its place. */
  public boolean isParent() {
    return object.label(KueueNames.CONCURRENT_ADMISSION_PARENT).equals("true")
        && parent().isEmpty();
  }

  /** Whether it may preempt: all its preemption gates are open. */
  public boolean mayPreempt() {
    return object.spec().trees("preemptionGates").stream()
        .allMatch(gate -> status().gateOpenSince(gate.text("name")).isPresent());
  }

  /** With one more preemption gate. */
  public Workload withPreemptionGate(String name) {
    var gates = new ArrayList<>(object.spec().trees("preemptionGates"));
    gates.removeIf(gate -> gate.text("name").equals(name));
    gates.add(Tree.of("name", name));
    return new Workload(object.with(List.of("spec", "preemptionGates"), Items.of(gates)));
  }

  public WorkloadStatus status() {
    return new WorkloadStatus(object.status());
  }

  public boolean finished() {
    return status().holds(WorkloadStatus.FINISHED);
  }

  public boolean admitted() {
    return status().holds(WorkloadStatus.ADMITTED);
  }

  public boolean reserved() {
    return status().holds(WorkloadStatus.QUOTA_RESERVED);
  }

  /** The ClusterQueue in which it has reserved quota. */
  public Optional<String> clusterQueue() {
    return status().clusterQueue();
  }

  /** The admission, while quota is reserved. */
  public Optional<Admission> admission() {
    return status().admission();
  }

  /**
   * A reference to the class of a priority.
   *
   * @param group {@code kueue.x-k8s.io} or {@code scheduling.k8s.io}
   */
  public record PriorityClassRef(String group, String kind, String name) {

    public static PriorityClassRef workloadPriorityClass(String name) {
      return new PriorityClassRef(Kinds.WORKLOAD.group(), "WorkloadPriorityClass", name);
    }

    public static PriorityClassRef podPriorityClass(String name) {
      return new PriorityClassRef("scheduling.k8s.io", "PriorityClass", name);
    }

    static PriorityClassRef of(Tree tree) {
      return new PriorityClassRef(tree.text("group"), tree.text("kind"), tree.text("name"));
    }

    Tree tree() {
      return Tree.of("group", group, "kind", kind, "name", name);
    }
  }
}
