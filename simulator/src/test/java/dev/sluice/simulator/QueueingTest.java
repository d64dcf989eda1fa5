package dev.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens to jobs and their workloads when users change their minds. */
class QueueingTest {
  private final VirtualWorld world =
      new VirtualWorld(Long.getLong("seed", 1), Configuration.DEFAULT);
  private final Cluster cluster = world.cluster();

  @BeforeEach
  void openQueues() {
    create(
        """
        {apiVersion: v1, kind: Node, metadata: {name: n, labels: {type: kwok},
         annotations: {kwok.x-k8s.io/node: fake}},
         spec: {taints: [{key: kwok.x-k8s.io/node, value: fake, effect: NoSchedule}]},
         status: {capacity: {cpu: 64, pods: 500}, allocatable: {cpu: 64, pods: 500}}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f},
         spec: {nodeLabels: {type: kwok}, tolerations: [{key: kwok.x-k8s.io/node, operator: Exists}]}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cq}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq},
         spec: {clusterQueue: cq}}
        """);
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aQueueNameSuspendsAJobOnCreation() {
    createJob("j", "nowhere", 1);

    assertThat(job("j").isSuspended()).isTrue();
    runFor(10);
    assertThat(job("j").isSuspended()).isTrue();
    assertThat(message("j")).isEqualTo("LocalQueue nowhere doesn't exist");
  }

  @Test
  void aJobWithoutAQueueNameIsLeftAlone() {
    create(JOB.formatted("free", "{}", 1));
    runFor(1);

    assertThat(job("free").isSuspended()).isFalse();
    assertThat(cluster.list(Kinds.WORKLOAD)).isEmpty();
  }

  @Test
  void whatTheFlavorSaysReachesThePodsOfAnAdmittedJob() {
    createJob("j", "lq", 1);
    runFor(5);

    Pod pod = new Pod(cluster.list(Kinds.POD).getFirst());
    assertThat(pod.nodeName()).isEqualTo("n");
    assertThat(pod.spec().nodeSelector()).containsEntry("type", "kwok");
    assertThat(pod.object().label(KueueNames.POD_SET)).isEqualTo("main");
  }

  @Test
  void aJobMovesToAnotherQueueWhileItWaits() {
    createJob("j", "nowhere", 1);
    runFor(1);

    cluster.update(Kinds.JOB, job("j").object().withLabel(KueueNames.QUEUE_NAME, "lq"));
    runFor(5);

    assertThat(job("j").isSuspended()).isFalse();
  }

  @Test
  void aJobThatGrowsAfterAdmissionGivesItsQuotaBackAndQueuesAgain() {
    createJob("j", "lq", 1);
    runFor(5);
    String admitted = workload("j").uid();

    cluster.update(Kinds.JOB, job("j").object().with(List.of("spec", "parallelism"), 5));
    runFor(60);

    assertThat(job("j").isSuspended()).isTrue();
    assertThat(job("j").podSpec().nodeSelector()).as("what the start had put in").isEmpty();
    assertThat(workload("j").uid()).isNotEqualTo(admitted);
    assertThat(message("j")).contains("maximum capacity (4)");
    assertThat(livingPods()).isZero();
  }

  @Test
  void aDeletedWorkloadStopsItsJobUntilANewOneIsAdmitted() {
    createJob("j", "lq", 1);
    runFor(5);
    String first = workload("j").uid();

    cluster.delete(Kinds.WORKLOAD, workload("j"), Deletion.BACKGROUND);
    runFor(60);

    assertThat(workload("j").uid()).isNotEqualTo(first);
    assertThat(job("j").isSuspended()).isFalse();
    assertThat(livingPods()).isEqualTo(1);
  }

  @Test
  void aDeletedJobFreesItsQuotaForTheNext() {
    createJob("big", "lq", 4);
    runFor(1);
    createJob("next", "lq", 4);
    runFor(5);
    assertThat(job("next").isSuspended()).isTrue();

    cluster.delete(Kinds.JOB, job("big").object(), Deletion.BACKGROUND);
    runFor(5);

    assertThat(job("next").isSuspended()).isFalse();
    assertThat(cluster.list(Kinds.WORKLOAD)).hasSize(1);
  }

  @Test
  void podsOfAGroupRunTogetherWhenThereIsRoomForAllOfThem() {
    createJob("big", "lq", 3);
    runFor(5);
    create(POD.formatted("a") + "---\n" + POD.formatted("b"));
    runFor(5);
    assertThat(cluster.list(Kinds.POD))
        .filteredOn(pod -> new Pod(pod).spec().hasSchedulingGates())
        .hasSize(2);

    cluster.delete(Kinds.JOB, job("big").object(), Deletion.BACKGROUND);
    runFor(60);
    List<Pod> running = cluster.list(Kinds.POD).stream().map(Pod::new).toList();
    assertThat(running).hasSize(2).allMatch(pod -> pod.phase() == Pod.Phase.RUNNING);
    running.forEach(pod ->
        cluster.patchStatus(
            Kinds.POD, pod.object(), pod.status().withPhase(Pod.Phase.SUCCEEDED).tree()));
    runFor(5);

    assertThat(cluster.list(Kinds.POD)).allMatch(pod -> pod.finalizers().isEmpty());
    ApiObject group = cluster.get(Kinds.WORKLOAD.key("default", "g")).orElseThrow();
    assertThat(Condition.holds(group.status(), WorkloadStatus.FINISHED)).isTrue();
  }

  @Test
  void aPreemptedGroupGivesItsQuotaToWhatIsMoreUrgent() {
    create(POD.formatted("a") + "---\n" + POD.formatted("b"));
    runFor(2);
    ApiObject group = cluster.get(Kinds.WORKLOAD.key("default", "g")).orElseThrow();
    var status =
        WorkloadTransitions.evict(
            new WorkloadStatus(group.status()), "Preempted", "Go", "", cluster.time().now());
    cluster.patchStatus(Kinds.WORKLOAD, group, status.tree());
    createJob("urgent", "lq", 4);
    runFor(60);

    assertThat(job("urgent").isSuspended()).isFalse();
    assertThat(
            Condition.holds(
                cluster.get(Kinds.WORKLOAD.key("default", "g")).orElseThrow().status(),
                WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS))
        .isTrue();
  }

  private static final String POD =
      """
      {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default,
       labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/pod-group-name: g},
       annotations: {kueue.x-k8s.io/pod-group-total-count: "2"}},
       spec: {restartPolicy: Never,
       containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}
      """;

  private static final String JOB =
      """
      {apiVersion: batch/v1, kind: Job, metadata: {name: %s, labels: %s}, spec: {parallelism: %d,
       completions: 10, template: {metadata: {annotations: {sluice.dev/duration: 1h}}, spec: {
       restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}}}
      """;

  private void createJob(String name, String queue, int parallelism) {
    create(JOB.formatted(name, Tree.of(KueueNames.QUEUE_NAME, queue), parallelism));
  }

  private void create(String yaml) {
    Yaml.parseAll(yaml).forEach(object -> world.create(ApiObject.of(object)));
  }

  private void runFor(int seconds) {
    world.runFor(DecisionLog.NONE, Duration.ofSeconds(seconds));
  }

  private Job job(String name) {
    return new Job(cluster.get(Kinds.JOB.key("default", name)).orElseThrow());
  }

  private ApiObject workload(String job) {
    return cluster.list(Kinds.WORKLOAD).stream()
        .filter(workload -> workload.isOwnedBy(job(job).object()))
        .findFirst()
        .orElseThrow();
  }

  private String message(String job) {
    return Condition.find(workload(job).status(), WorkloadStatus.QUOTA_RESERVED)
        .map(condition -> condition.text("message"))
        .orElse("");
  }

  private long livingPods() {
    return cluster.list(Kinds.POD).stream().filter(pod -> !new Pod(pod).isTerminal()).count();
  }
}
