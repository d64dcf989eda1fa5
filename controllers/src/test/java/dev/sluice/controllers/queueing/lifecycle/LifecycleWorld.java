package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Configuration.Retention;
import dev.sluice.controllers.configuration.Configuration.WaitForPodsReady;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Event;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Controller.Outcome;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * A cluster for tests of the lifecycle of workloads: the Workload {@code wl} is pending in the
 * LocalQueue {@code lq} of the ClusterQueue {@code cq}, which has two flavors, and is owned by the
 * Job {@code job}.
 */
public final class LifecycleWorld {
  public static final Instant START = FakeCluster.START;
  static final ObjectKey WORKLOAD = Kinds.WORKLOAD.key("default", "wl");
  static final ObjectKey LOCAL_QUEUE = Kinds.LOCAL_QUEUE.key("default", "lq");
  public static final ObjectKey CLUSTER_QUEUE = Kinds.CLUSTER_QUEUE.key("cq");
  static final ObjectKey JOB = Kinds.JOB.key("default", "job");

  public final FakeCluster cluster;
  Configuration configuration = Configuration.DEFAULT;
  private Set<String> before = new TreeSet<>();

  public LifecycleWorld() {
    this(1);
  }

  LifecycleWorld(long seed) {
    cluster = new FakeCluster(seed);
    cluster.create(Kinds.JOB, Worlds.job("job", spec -> spec));
    cluster.create(
        Kinds.CLUSTER_QUEUE,
        Worlds.yaml(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: cq, finalizers: [kueue.x-k8s.io/resource-in-use]}
            spec:
              namespaceSelector: {}
              resourceGroups:
              - coveredResources: [cpu]
                flavors:
                - {name: spot, resources: [{name: cpu, nominalQuota: "9"}]}
                - {name: solid, resources: [{name: cpu, nominalQuota: "9"}]}
            """));
    cluster.create(
        Kinds.LOCAL_QUEUE,
        ApiObject.of(Kinds.LOCAL_QUEUE, "default", "lq").withSpec(Tree.of("clusterQueue", "cq")));
    cluster.create(
        Kinds.WORKLOAD,
        Workload.of("default", "wl", "lq", List.of())
            .object()
            .controlledBy(cluster.require(JOB))
            .withLabel(KueueNames.JOB_UID, cluster.require(JOB).uid()));
  }

  // Changes before a pass

  LifecycleWorld spec(UnaryOperator<Workload> change) {
    cluster.update(Kinds.WORKLOAD, change.apply(workload()).object());
    return this;
  }

  LifecycleWorld status(UnaryOperator<WorkloadStatus> change) {
    cluster.patchStatus(
        Kinds.WORKLOAD, workload().object(), change.apply(workload().status()).tree());
    return this;
  }

  LifecycleWorld byHand() {
    return spec(workload ->
        new Workload(
            workload
                .object()
                .withoutMetadata("ownerReferences")
                .without(List.of("metadata", "labels"))));
  }

  LifecycleWorld change(ObjectKey key, UnaryOperator<Tree> spec) {
    ApiObject object = cluster.require(key);
    cluster.update(key.kind(), object.withSpec(spec.apply(object.spec())));
    return this;
  }

  LifecycleWorld stop(ObjectKey queue, String policy) {
    return change(queue, spec -> spec.with("stopPolicy", policy));
  }

  public LifecycleWorld checks(List<Tree> checks) {
    return change(
        CLUSTER_QUEUE,
        spec -> spec.with(List.of("admissionChecksStrategy", "admissionChecks"), checks));
  }

  LifecycleWorld setActive(ObjectKey queue, boolean active) {
    ApiObject object = cluster.require(queue);
    cluster.patchStatus(
        queue.kind(),
        object,
        new Condition("Active", active, "Tested", "").in(object.status(), cluster.time().now()));
    return this;
  }

  /** Deletes an object; one with a finalizer stays. */
  LifecycleWorld delete(ObjectKey key) {
    cluster.delete(key.kind(), cluster.require(key), Deletion.BACKGROUND);
    return this;
  }

  LifecycleWorld pass(Duration time) {
    cluster.time().after(time, () -> {});
    cluster.time().step();
    return this;
  }

  LifecycleWorld with(Configuration other) {
    configuration = other;
    return this;
  }

  // Statuses at the beginning

  static WorkloadStatus reserved(WorkloadStatus status) {
    return WorkloadTransitions.reserve(status, admission("spot"), START);
  }

  static WorkloadStatus admitted(WorkloadStatus status) {
    return WorkloadTransitions.admit(reserved(status), "cq", START).status();
  }

  static UnaryOperator<WorkloadStatus> evicted(String reason) {
    return status -> WorkloadTransitions.evict(admitted(status), reason, "because", "", START);
  }

  static UnaryOperator<WorkloadStatus> notRequeued(String reason) {
    return status ->
        status.with(new Condition(WorkloadStatus.REQUEUED, false, reason, "because"), START);
  }

  public static Admission admission(String flavor) {
    var flavors = new TreeMap<String, String>();
    flavors.put("cpu", flavor);
    return new Admission(
        "cq",
        List.of(new Admission.Assignment("main", 1, flavors, Amounts.of(Tree.of("cpu", "1")))));
  }

  static UnaryOperator<WorkloadStatus> check(String name, String state, String message) {
    return status -> {
      var checks = new ArrayList<>(status.admissionChecks());
      checks.add(CheckState.pending(name, START).in(state, message, START));
      return status.withAdmissionChecks(checks);
    };
  }

  // Configurations

  static Configuration keeping(Duration afterFinished) {
    var retention = new Retention(Optional.of(afterFinished), Optional.empty());
    return configuration(Configuration.DEFAULT.waitForPodsReady(), retention, List.of());
  }

  static Configuration waiting(Optional<WaitForPodsReady> rules) {
    return configuration(rules, Retention.NONE, List.of());
  }

  static Configuration gates(Gate... more) {
    return configuration(Configuration.DEFAULT.waitForPodsReady(), Retention.NONE, List.of(more));
  }

  private static Configuration configuration(
      Optional<WaitForPodsReady> rules, Retention retention, List<Gate> gates) {
    Configuration base = Configuration.DEFAULT;
    var all = new TreeSet<>(base.gates());
    all.addAll(gates);
    return new Configuration(
        base.namespace(),
        base.manageJobsWithoutQueueName(),
        base.managedJobsNamespaceSelector(),
        rules,
        base.frameworks(),
        base.externalFrameworks(),
        base.labelKeysToCopy(),
        base.annotationKeysToCopy(),
        base.fairSharing(),
        base.usageSharing(),
        base.resources(),
        retention,
        all);
  }

  // Passes

  Workload workload() {
    return new Workload(cluster.require(WORKLOAD));
  }

  Controller controller() {
    return new WorkloadController(cluster, configuration);
  }

  /** Runs one pass of a new controller; returns the lines that were not there before. */
  List<String> reconcile() {
    before = new TreeSet<>(lines());
    Outcome outcome = controller().reconcile(WORKLOAD);
    var added = new ArrayList<>(lines());
    added.removeAll(before);
    if (outcome instanceof Outcome.Again(Duration after)) {
      added.add("again in " + after);
    }
    return added;
  }

  /** The state of the workload, as lines. */
  List<String> lines() {
    var lines = new ArrayList<String>();
    Optional<ApiObject> found = cluster.get(WORKLOAD);
    if (found.isEmpty()) {
      lines.add("gone");
    } else {
      describe(new Workload(found.get()), lines);
    }
    for (ApiObject event : cluster.list(Kinds.EVENT)) {
      var seen = new Event(event);
      lines.add(seen.type() + " " + seen.reason() + ": " + seen.message());
    }
    return lines;
  }

  private static void describe(Workload workload, List<String> lines) {
    WorkloadStatus status = workload.status();
    for (Tree condition : status.tree().trees("conditions")) {
      lines.add(
          "%s=%s %s: %s"
              .formatted(
                  condition.text("type"),
                  condition.text("status"),
                  condition.text("reason"),
                  condition.text("message")));
    }
    for (CheckState check : status.admissionChecks()) {
      lines.add("check %s %s: %s".formatted(check.name(), check.state(), check.message()));
    }
    lines.add("admission " + status.admission().map(Admission::clusterQueue).orElse("none"));
    lines.add("active " + workload.active());
    lines.add("finalizers " + workload.object().finalizers());
    lines.add("requeues " + status.tree().tree("requeueState"));
    lines.add("ran " + status.accumulatedExecutionTime());
  }
}
