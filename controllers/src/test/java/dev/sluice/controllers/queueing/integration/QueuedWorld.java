package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.assembly.Integrations;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.controllers.queueing.integration.pod.PodIntegration;
import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A cluster with the integrations, in which the test admits workloads. */
public final class QueuedWorld {
  public final FakeCluster cluster = new FakeCluster(1);
  Configuration configuration = Configuration.DEFAULT;

  public QueuedWorld() {
    cluster.create(Kinds.NAMESPACE, ApiObject.of(Kinds.NAMESPACE, "", "default"));
    create(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f},
         spec: {nodeLabels: {type: big}, tolerations: [{key: t, operator: Exists}]}}
        """);
  }

  ApiObject create(String yaml) {
    return create(Worlds.yaml(yaml));
  }

  public ApiObject create(ApiObject object) {
    return cluster.create(
        List.of(
                Kinds.JOB,
                Kinds.POD,
                Kinds.WORKLOAD,
                Kinds.RESOURCE_FLAVOR,
                Kinds.WORKLOAD_PRIORITY_CLASS,
                Kinds.PRIORITY_CLASS,
                Kinds.NAMESPACE)
            .stream()
            .filter(object::isA)
            .findFirst()
            .orElseThrow(),
        object);
  }

  /** Creates a suspended Job in the queue lq. */
  Job createJob(String name, UnaryOperator<ApiObject> change) {
    ApiObject job =
        Worlds.job(name, spec -> spec.with("suspend", true)).withLabel(KueueNames.QUEUE_NAME, "lq");
    return new Job(cluster.create(Kinds.JOB, change.apply(job)));
  }

  /** Creates, admits and starts the Job j. */
  Job started(UnaryOperator<ApiObject> change) {
    createJob("j", change);
    run();
    admit(workload());
    run();
    return job("j");
  }

  Job started() {
    return started(UnaryOperator.identity());
  }

  void updateJob(UnaryOperator<ApiObject> change) {
    cluster.update(Kinds.JOB, change.apply(job("j").object()));
  }

  /** Creates a pod as the webhook changes it. */
  public Pod createPod(String name, UnaryOperator<ApiObject> change) {
    ApiObject pod =
        Worlds.yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: %s
              namespace: default
              labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/managed: "true"}
              finalizers: [kueue.x-k8s.io/managed]
            spec:
              schedulingGates: [{name: kueue.x-k8s.io/admission}]
              containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]
            """
                .formatted(name));
    return new Pod(cluster.create(Kinds.POD, change.apply(pod)));
  }

  public Pod createMember(String name, String group, int total) {
    return createPod(name, pod -> member(pod, group, total));
  }

  public static ApiObject member(ApiObject pod, String group, int total) {
    return pod.withLabel(KueueNames.POD_GROUP, group)
        .withAnnotation(KueueNames.POD_GROUP_TOTAL, Integer.toString(total));
  }

  /** The same, with a request for cpus. */
  public static UnaryOperator<ApiObject> requesting(String group, int total, int cpu) {
    return pod ->
        member(pod, group, total)
            .with(
                List.of("spec", "containers"),
                List.of(Tree.of("name", "c", "resources", Map.of("requests", Map.of("cpu", cpu)))));
  }

  /** An elastic Job with three pods. */
  static ApiObject elastic(ApiObject job) {
    return job.withAnnotation(KueueNames.ELASTIC_JOB, "true")
        .with(List.of("spec", "parallelism"), 3)
        .with(List.of("spec", "completions"), 99);
  }

  /** Deactivates the only workload, as if its pods never became ready. */
  void giveUp() {
    cluster.update(Kinds.WORKLOAD, workload().withActive(false).object());
    setStatus(
        workload(),
        WorkloadTransitions.evict(
            workload().status(), "Deactivated", "Too often", "RequeuingLimitExceeded", now()));
  }

  /** Runs new controllers for a second. */
  public void run() {
    run(Duration.ofSeconds(1));
  }

  public void run(Duration time) {
    var controllers = Integrations.controllers(cluster, configuration);
    try (var driver = Worlds.driver(cluster, 1, controllers)) {
      Worlds.pass(driver, cluster, time);
    }
  }

  Job job(String name) {
    return Worlds.job(cluster, name);
  }

  public Pod pod(String name) {
    return new Pod(cluster.require(Kinds.POD.key("default", name)));
  }

  public boolean hasPod(String name) {
    return cluster.get(Kinds.POD.key("default", name)).isPresent();
  }

  public boolean isGated(String name) {
    return PodIntegration.isGated(pod(name));
  }

  public void phase(String name, Pod.Phase phase) {
    Worlds.setPhase(cluster, pod(name), phase);
  }

  /** Binds and starts a pod, as scheduler and node do. */
  public void bind(String name) {
    cluster.update(Kinds.POD, pod(name).withNodeName("n").object());
    phase(name, Pod.Phase.RUNNING);
  }

  /** Ends a terminating pod, as its node does. */
  public void die(String name) {
    phase(name, Pod.Phase.FAILED);
    cluster.delete(Kinds.POD, pod(name).object(), Deletion.NOW);
  }

  public List<Workload> workloads() {
    return cluster.list(Kinds.WORKLOAD).stream().map(Workload::new).toList();
  }

  /** The only workload. */
  public Workload workload() {
    List<Workload> all = workloads();
    if (all.size() != 1) {
      throw new AssertionError("one workload was expected, there are " + all);
    }
    return all.getFirst();
  }

  Instant now() {
    return cluster.time().now();
  }

  void setStatus(Workload workload, WorkloadStatus status) {
    cluster.patchStatus(Kinds.WORKLOAD, workload.object(), status.tree());
  }

  void setJobStatus(String name, UnaryOperator<Tree> change) {
    ApiObject job = job(name).object();
    cluster.patchStatus(Kinds.JOB, job, change.apply(job.status()));
  }

  void reserve(Workload workload, Map<String, Integer> counts) {
    var assignments =
        workload.podSets().stream().map(podSet -> assignment(podSet, counts)).toList();
    setStatus(
        workload,
        WorkloadTransitions.reserve(workload.status(), new Admission("cq", assignments), now()));
  }

  private static Admission.Assignment assignment(PodSet podSet, Map<String, Integer> counts) {
    return new Admission.Assignment(
        podSet.name(),
        counts.getOrDefault(podSet.name(), podSet.count()),
        new TreeMap<>(Map.of("cpu", "f")),
        Amounts.of(Tree.of("cpu", "1")));
  }

  /** Starts a group with two pods, a and b. */
  public void startGroup() {
    createMember("a", "g", 2);
    createMember("b", "g", 2);
    run();
    admit(workload());
    run();
  }

  public void admit(Workload workload) {
    admit(workload, Map.of());
  }

  void admit(Workload workload, Map<String, Integer> counts) {
    reserve(workload, counts);
    Workload reserved = new Workload(cluster.require(workload.object().key(Kinds.WORKLOAD)));
    setStatus(reserved, WorkloadTransitions.admit(reserved.status(), "cq", now()).status());
  }

  public void evict(String reason) {
    setStatus(
        workload(), WorkloadTransitions.evict(workload().status(), reason, "Go away", "", now()));
  }

  public List<String> events(String object) {
    return Worlds.events(cluster, object);
  }

  public List<String> reasons(String object) {
    return Worlds.reasons(cluster, object);
  }
}
