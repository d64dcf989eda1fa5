package dev.sluice.controllers.queueing;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.admission.AdmissionController;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** A small cluster with queues, in which workloads are pending and admitted. */
public final class QueueWorld {
  public final FakeCluster cluster = new FakeCluster(7);
  public final QueueCache cache;
  private final List<Controller> controllers = new ArrayList<>();
  private final Configuration configuration;

  public QueueWorld(Configuration configuration) {
    this.configuration = configuration;
    this.cache = new QueueCache(cluster, configuration);
    cache.watch(broken -> {
      throw new AssertionError(broken);
    });
    cluster.create(Kinds.NAMESPACE, ApiObject.of(Kinds.NAMESPACE, "", "default"));
    cluster.create(Kinds.NAMESPACE, ApiObject.of(Kinds.NAMESPACE, "", "other"));
    cluster.create(Kinds.RESOURCE_FLAVOR, ApiObject.of(Kinds.RESOURCE_FLAVOR, "", "plain"));
  }

  public QueueWorld() {
    this(Configuration.DEFAULT);
  }

  public Configuration configuration() {
    return configuration;
  }

  /** Runs another controller too. */
  public void add(Controller controller) {
    controllers.add(controller);
  }

  public QueueWorld clusterQueue(String name, String cohort, int cpu) {
    cluster.create(
        Kinds.CLUSTER_QUEUE,
        Worlds.yaml(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: %s}
            spec:
              cohortName: "%s"
              namespaceSelector: {}
              resourceGroups:
              - coveredResources: [cpu]
                flavors:
                - {name: plain, resources: [{name: cpu, nominalQuota: %d}]}
            """
                .formatted(name, cohort, cpu)));
    return this;
  }

  public QueueWorld localQueue(String namespace, String name, String clusterQueue) {
    cluster.create(
        Kinds.LOCAL_QUEUE,
        Worlds.yaml(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: LocalQueue
            metadata: {name: %s, namespace: %s}
            spec: {clusterQueue: %s}
            """
                .formatted(name, namespace, clusterQueue)));
    return this;
  }

  /** Creates a workload with one pod. */
  public QueueWorld workload(
      String namespace, String name, String queue, int priority, int cpu, ApiObject... owners) {
    ApiObject workload =
        Worlds.yaml(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Workload
            metadata: {name: %s, namespace: %s}
            spec:
              queueName: %s
              priority: %d
              active: true
              podSets:
              - name: main
                count: 1
                template:
                  spec:
                    restartPolicy: Never
                    containers:
                    - {name: main, image: busybox, resources: {requests: {cpu: %d}}}
            """
                .formatted(name, namespace, queue, priority, cpu));
    for (ApiObject owner : owners) {
      workload = workload.sharedBy(owner);
    }
    cluster.create(Kinds.WORKLOAD, workload);
    return this;
  }

  /** Creates the gated pod {@code alone} and its workload in a LocalQueue. */
  public ApiObject gatedPod(String queue) {
    ApiObject pod =
        cluster.create(
            Kinds.POD,
            Worlds.yaml(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: alone, namespace: default}
                spec: {schedulingGates: [{name: kueue.x-k8s.io/admission}]}
                """));
    workload("default", WorkloadNames.of(Kinds.POD, pod), queue, 0, 1, pod);
    return pod;
  }

  public Workload workload(String namespace, String name) {
    return new Workload(cluster.require(Kinds.WORKLOAD.key(namespace, name)));
  }

  /** A condition of a workload, as status, reason and message, or empty. */
  public String condition(String namespace, String name, String type) {
    return Condition.find(workload(namespace, name).status().tree(), type)
        .map(one -> one.text("status") + " " + one.text("reason") + ": " + one.text("message"))
        .orElse("");
  }

  /** The events about an object, as type, reason and message. */
  public List<String> events(String object) {
    return Worlds.events(cluster, object);
  }

  /** Changes the spec of an object. */
  public void spec(ObjectKey key, UnaryOperator<Tree> change) {
    change(key, object -> object.withSpec(change.apply(object.spec())));
  }

  /** Changes an object, apart from its status. */
  public void change(ObjectKey key, UnaryOperator<ApiObject> change) {
    cluster.update(key.kind(), change.apply(cluster.require(key)));
  }

  /** Changes the status of a workload. */
  public void status(ObjectKey key, BiFunction<WorkloadStatus, Instant, WorkloadStatus> change) {
    ApiObject seen = cluster.require(key);
    WorkloadStatus status = change.apply(new WorkloadStatus(seen.status()), cluster.time().now());
    cluster.patchStatus(key.kind(), seen, status.tree());
  }

  public void delete(ObjectKey key) {
    cluster.delete(key.kind(), cluster.require(key), Deletion.BACKGROUND);
  }

  /** Starts the controllers, and lets time pass. */
  public VirtualDriver start(DecisionLog log, Duration time) {
    controllers.add(new AdmissionController(cluster, cache, log));
    VirtualDriver driver = Worlds.driver(cluster, 7, controllers);
    Worlds.pass(driver, cluster, time);
    return driver;
  }

  /** Creates a workload slice with pods of one cpu each. */
  public void slice(String name, int pods, String replaces) {
    cluster.create(
        Kinds.WORKLOAD,
        Worlds.yaml(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Workload
            metadata:
              name: %s
              namespace: default
              labels: {kueue.x-k8s.io/job-uid: job}
              ownerReferences: [{apiVersion: batch/v1, kind: Job, name: job, uid: job, controller: true}]
              annotations:
                kueue.x-k8s.io/elastic-job: "true"
                kueue.x-k8s.io/workload-slice-name: first
                kueue.x-k8s.io/workload-slice-replacement-for: "%s"
            spec:
              queueName: lq
              active: true
              podSets:
              - name: main
                count: %d
                template:
                  spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}
            """
                .formatted(name, replaces, pods)));
  }
}
