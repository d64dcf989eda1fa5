package dev.sluice.conformance.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.controllers.scheduling.PodScheduler;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.LiveDriver;
import dev.sluice.runtime.RealTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Plays scenarios with one right answer each on one API server, to kube-scheduler and then to ours:
 * every pod gets the same node or is told the same, the same pods leave for others, and users see
 * the same events.
 */
final class SchedulerContest {
  private static final String OURS = "sluice";

  /** What happens, step by step. */
  record Scenario(String name, Consumer<SchedulerStage> steps) {}

  private SchedulerContest() {}

  static void play(RealKubernetes kubernetes, List<Scenario> scenarios) {
    // Another contest may have left events there, whose names are drawn from this.
    var random = new SplittableRandom(scenarios.getFirst().name().hashCode());
    try (var time = new RealTime();
        var cluster =
            new KubernetesCluster(Connection.kubeconfig(kubernetes.kubeconfig()), time, random)) {
      SchedulerStage.priorities(cluster);
      forbidSomeBindings(cluster);
      String theirs = play(cluster, "default-scheduler", scenarios);
      try (var driver = new LiveDriver(cluster, List.of(new PodScheduler(cluster, OURS)))) {
        driver.start();
        String ours = play(cluster, OURS, scenarios);

        assertThat(ours).isEqualTo(theirs);
      }
    }
  }

  /** Refuses every binding of a pod named {@code forbidden}. */
  private static void forbidSomeBindings(Cluster cluster) {
    SchedulerStage.createOnce(
        cluster,
        rule("ValidatingAdmissionPolicy", "validatingadmissionpolicies"),
        yaml(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: bindings}
            spec:
              matchConstraints:
                resourceRules:
                - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods/binding]}
              validations: [{expression: "object.metadata.name != 'forbidden'", message: "not today"}]
            """));
    SchedulerStage.createOnce(
        cluster,
        rule("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings"),
        yaml(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: bindings}
            spec: {policyName: bindings, validationActions: [Deny]}
            """));
  }

  private static ResourceKind rule(String kind, String plural) {
    return new ResourceKind("admissionregistration.k8s.io", "v1", kind, plural, false);
  }

  private static ApiObject yaml(String text) {
    return ApiObject.of(Yaml.parseAll(text).getFirst());
  }

  private static String play(Cluster cluster, String scheduler, List<Scenario> scenarios) {
    var stories = new ArrayList<String>();
    var stage = new SchedulerStage(cluster, scheduler);
    stage.clear();
    for (Scenario scenario : scenarios) {
      stories.add("# " + scenario.name());
      scenario.steps().accept(stage);
      stories.addAll(stage.story());
      stage.clear();
    }
    return String.join("\n", stories);
  }
}
