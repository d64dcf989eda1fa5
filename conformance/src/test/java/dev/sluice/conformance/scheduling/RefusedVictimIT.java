package dev.sluice.conformance.scheduling;

import dev.sluice.conformance.ApiClient;
import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.controllers.scheduling.PodScheduler;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.LiveDriver;
import dev.sluice.runtime.RealTime;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A victim on a real cluster whose deletion an admission policy refuses. */
@RequiresKubernetes
@Timeout(120)
class RefusedVictimIT {
  private static final String KEPT = "/api/v1/namespaces/default/pods/kept?dryRun=All";
  private static final ResourceKind POLICY =
      new ResourceKind(
          "admissionregistration.k8s.io",
          "v1",
          "ValidatingAdmissionPolicy",
          "validatingadmissionpolicies",
          false);
  private static final ResourceKind POLICY_BINDING =
      new ResourceKind(
          "admissionregistration.k8s.io",
          "v1",
          "ValidatingAdmissionPolicyBinding",
          "validatingadmissionpolicybindings",
          false);

  @Test
  void preemptorOfAProtectedPodReportsTheRefusal(RealKubernetes kubernetes) {
    try (var time = new RealTime();
        var cluster =
            new KubernetesCluster(
                Connection.kubeconfig(kubernetes.kubeconfig()), time, new SplittableRandom(7));
        var client = new ApiClient(kubernetes.kubeconfig());
        var driver = new LiveDriver(cluster, List.of(new PodScheduler(cluster, "sluice")))) {
      driver.start();
      SchedulerStage.priorities(cluster);
      var stage = new SchedulerStage(cluster, "sluice");
      stage.clear();
      stage.node("a", "cpu: 4", "", "");
      stage.pod("kept", "cpu: 4", "priorityClassName: low");
      ApiObject rule = forbid(cluster);
      Eventually.holds("the rule holds", () -> client.send("DELETE", KEPT, "", "").code() == 422);

      stage.pod("high", "cpu: 4", "priorityClassName: high");

      stage.says("high", "0/1 nodes are available: 1 Insufficient cpu. preemption: ");
      stage.says("high", "not today");
      cluster.delete(POLICY_BINDING, rule, Deletion.BACKGROUND);
      stage.leaves("kept");
      stage.remove("kept");
      stage.bound("high");
      stage.clear();
    }
  }

  private static ApiObject forbid(Cluster cluster) {
    SchedulerStage.createOnce(
        cluster,
        POLICY,
        yaml(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: kept-pods}
            spec:
              matchConstraints:
                resourceRules:
                - {apiGroups: [""], apiVersions: [v1], operations: [DELETE], resources: [pods]}
              validations: [{expression: "oldObject.metadata.name != 'kept'", message: "not today"}]
            """));
    return cluster.create(
        POLICY_BINDING,
        yaml(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: kept-pods}
            spec: {policyName: kept-pods, validationActions: [Deny]}
            """));
  }

  private static ApiObject yaml(String text) {
    return ApiObject.of(Yaml.parseAll(text).getFirst());
  }
}
