package dev.sluice.controllers.queueing.invariants;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;

/** A cluster in which all invariants hold, with methods to violate them. */
final class Breaches {
  final FakeCluster cluster = new FakeCluster(1);
  final ApiObject job;

  Breaches() {
    put(Kinds.NAMESPACE, "{apiVersion: v1, kind: Namespace, metadata: {name: default}}");
    put(
        Kinds.RESOURCE_FLAVOR,
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}");
    put(Kinds.CLUSTER_QUEUE, queue(4));
    put(
        Kinds.LOCAL_QUEUE,
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue,"
            + " metadata: {name: l, namespace: default}, spec: {clusterQueue: q}}");
    job =
        cluster.create(
            Kinds.JOB,
            Worlds.job("j", spec -> spec.with("suspend", false))
                .withLabel("kueue.x-k8s.io/queue-name", "l"));
  }

  static String queue(int cpus) {
    return """
    {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q}, spec: {
     namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f,
      resources: [{name: cpu, nominalQuota: %d}]}]}]}}
    """
        .formatted(cpus);
  }

  ApiObject put(ResourceKind kind, String yaml) {
    return cluster.create(kind, Worlds.yaml(yaml));
  }

  /** A pending workload of the job that requests cpus. */
  ApiObject waiting(String name, int cpus) {
    return cluster.create(
        Kinds.WORKLOAD,
        Worlds.yaml(
                """
                {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload,
                 metadata: {name: %s, namespace: default}, spec: {queueName: l, podSets: [{
                  name: main, count: 1, template: {spec: {containers: [{name: c, image: i,
                   resources: {requests: {cpu: %d}}}]}}}]}}
                """
                    .formatted(name, cpus))
            .controlledBy(job));
  }

  /** An admitted workload. */
  ApiObject admitted(String name, int cpus) {
    Tree status =
        Worlds.yaml(
                """
                status: {admission: {clusterQueue: q, podSetAssignments: [{name: main, count: 1,
                 flavors: {cpu: f}, resourceUsage: {cpu: %d}}]}}
                """
                    .formatted(cpus))
            .status();
    status = holds(status, WorkloadStatus.QUOTA_RESERVED, true);
    return set(waiting(name, cpus), holds(status, WorkloadStatus.ADMITTED, true));
  }

  ApiObject set(ApiObject workload, Tree status) {
    return cluster.patchStatus(Kinds.WORKLOAD, workload, status);
  }

  Tree holds(Tree status, String type, boolean holds) {
    return new Condition(type, holds, type, "").in(status, cluster.time().now());
  }
}
