package dev.sluice.controllers.queueing.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.Worlds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueInvariantsTest {
  private final Breaches world = new Breaches();
  private final QueueInvariants invariants =
      new QueueInvariants(world.cluster, Configuration.DEFAULT);

  private List<String> all() {
    var all = new ArrayList<>(invariants.atAnyInstant());
    all.addAll(invariants.atRest());
    return all;
  }

  @Test
  void consistentClusterHasNoBreach() {
    world.admitted("w", 4);

    assertThat(all()).isEmpty();
  }

  @Test
  void admissionWithoutReservedQuotaIsFound() {
    ApiObject workload = world.admitted("w", 1);
    world.set(workload, world.holds(workload.status(), WorkloadStatus.QUOTA_RESERVED, false));

    assertThat(invariants.onePhase())
        .containsExactly(
            "Workload default/w is admitted without reserved quota",
            "Workload default/w has an admission but no reserved quota");
  }

  @Test
  void reservedQuotaWithoutAnAdmissionIsFound() {
    ApiObject workload = world.admitted("w", 1);
    world.set(workload, workload.status().without("admission"));

    assertThat(invariants.onePhase())
        .containsExactly("Workload default/w has reserved quota but no admission");
  }

  @Test
  void twoReservationsOfOneJobAreFound() {
    world.admitted("w1", 1);
    world.admitted("w2", 1);

    assertThat(invariants.oneReservation())
        .containsExactly("Workloads default/w1 and default/w2 hold quota for the same job");
    assertThat(invariants.oneWorkloadPerJob())
        .containsExactly("Job default/j has more than one workload: [default/w1, default/w2]");
  }

  @Test
  void jobWithoutAWorkloadIsFoundAndMustNotRun() {
    assertThat(all())
        .containsExactly(
            "Job default/j waits in a queue, but has no workload",
            "Job default/j is not suspended, but not admitted either");
  }

  @Test
  void quotaOfADeletedOwnerIsFound() {
    world.admitted("w", 1);
    world.cluster.delete(Kinds.JOB, world.job, Deletion.NOW);

    assertThat(invariants.ownersExist())
        .containsExactly("Workload default/w holds quota, but its owner is gone");
  }

  @Test
  void quotaInThePreviousQueueOfAJobIsFound() {
    world.admitted("w", 1);
    ApiObject running = world.cluster.require(world.job.key(Kinds.JOB));
    assertThat(invariants.heldWhereWanted()).isEmpty();

    world.cluster.update(
        Kinds.JOB,
        new Job(running.withLabel("kueue.x-k8s.io/queue-name", "other"))
            .withSuspend(true)
            .object());

    assertThat(invariants.heldWhereWanted())
        .containsExactly(
            "Workload default/w holds quota for Job default/j, which does not wait for it");
  }

  @Test
  void jobsOfAnUnselectedNamespaceNeedNoWorkload() {
    world.put(Kinds.NAMESPACE, "{apiVersion: v1, kind: Namespace, metadata: {name: kube-system}}");
    world.cluster.create(
        Kinds.JOB,
        world.job.withoutMetadata("resourceVersion").withMetadata("namespace", "kube-system"));
    world.admitted("w", 1);

    assertThat(all()).isEmpty();
  }

  @Test
  void podThatRunsWithoutAdmissionIsFound() {
    world.waiting("w", 100);
    ApiObject pod =
        Worlds.yaml(
            """
            {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default},
             spec: {containers: [{name: c, image: i}]}}
            """);
    world.cluster.create(Kinds.POD, pod.controlledBy(world.job));

    assertThat(invariants.podsRunAdmitted())
        .containsExactly("Pod default/p may run, but its workload is not admitted");
  }

  @Test
  void pendingWorkloadThatFitsIsFound() {
    world.admitted("w", 1);
    world.waiting("x", 3);
    world.waiting("y", 3);

    assertThat(invariants.nothingWaitsThatFits())
        .containsExactly("Workload default/x waits, but fits into ClusterQueue q");
  }

  @Test
  void cacheThatMissedAWorkloadIsFound() {
    ApiObject workload = world.admitted("w", 1);
    QueueCache cache = QueueCache.rebuilt(world.cluster, Configuration.DEFAULT);
    assertThat(invariants.sameAfterRestart(cache)).isEmpty();

    world.cluster.delete(Kinds.WORKLOAD, workload, Deletion.NOW);

    assertThat(invariants.sameAfterRestart(cache))
        .singleElement()
        .asString()
        .startsWith("Workload default/w stands in memory as ")
        .endsWith("by the objects nowhere");
  }

  @Test
  void cacheThatMissedARuleIsFound() {
    QueueCache cache = QueueCache.rebuilt(world.cluster, Configuration.DEFAULT);
    assertThat(invariants.sameAfterRestart(cache)).isEmpty();

    ApiObject queue = world.cluster.require(Kinds.CLUSTER_QUEUE.key("q"));
    world.cluster.update(
        Kinds.CLUSTER_QUEUE, queue.withSpec(Worlds.yaml(Breaches.queue(5)).spec()));
    world.put(
        Kinds.RESOURCE_FLAVOR,
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: g}}");
    world.put(
        Kinds.COHORT,
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: c}, spec: {}}");

    assertThat(invariants.sameAfterRestart(cache))
        .extracting(breach -> breach.substring(0, breach.indexOf(" stands")))
        .containsExactly("ClusterQueue q", "Cohort c", "ResourceFlavor g");
  }
}
