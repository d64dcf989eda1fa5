package dev.sluice.controllers.jobsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiObject;
import dev.sluice.model.jobset.JobSetNames;
import dev.sluice.model.tree.Tree;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class JobSetRulesTest {
  private static final String TEMPLATE =
      "template: {spec: {parallelism: 2, completions: 2, template: {spec: {containers: [{name: c, image: i}]}}}}";
  private static final String JOBS =
      "replicatedJobs: [{name: a, replicas: 2, " + TEMPLATE + "}, {name: b, " + TEMPLATE + "}]";

  private final JobSetRules rules = new JobSetRules(new FakeCluster(1));

  private ApiObject set(String spec) {
    return rules.onCreate(
        Worlds.yaml(
            "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: s, namespace:"
                + " default}, spec: {"
                + spec
                + "}}"));
  }

  @Test
  void completesWhatIsLeftOut() {
    Tree spec =
        set(JOBS
                + ", failurePolicy: {rules: [{action: FailJobSet}, {name: x, action: FailJobSet}]}")
            .spec();

    assertThat(spec.tree("network"))
        .isEqualTo(Tree.of("enableDNSHostnames", true, "publishNotReadyAddresses", true));
    assertThat(spec.text("successPolicy", "operator")).isEqualTo("All");
    assertThat(spec.text("startupPolicy", "startupPolicyOrder")).isEqualTo("AnyOrder");
    Tree job = spec.trees("replicatedJobs").getFirst().tree("template", "spec");
    assertThat(job.text("completionMode")).isEqualTo("Indexed");
    assertThat(job.text("template", "spec", "restartPolicy")).isEqualTo("OnFailure");
    assertThat(spec.trees("failurePolicy", "rules"))
        .extracting(rule -> rule.text("name"))
        .containsExactly("failurePolicyRule0", "x");
  }

  @Test
  void exclusivePlacementWithoutLabelsOfNodesIsWarnedOf() {
    ApiObject plain = set(JOBS);
    ApiObject exclusive = plain.withAnnotation(JobSetNames.EXCLUSIVE_TOPOLOGY, "zone");
    ApiObject labelled = exclusive.withAnnotation(JobSetNames.NODE_SELECTOR, "true");

    assertThat(rules.warnings(plain)).isEmpty();
    assertThat(rules.warnings(labelled)).isEmpty();
    assertThat(rules.warnings(exclusive))
        .singleElement()
        .asString()
        .contains(JobSetNames.EXCLUSIVE_TOPOLOGY, "has no effect");
  }

  record Bad(String spec, String field) {}

  static final List<Bad> BAD =
      List.of(
          new Bad(
              "replicatedJobs: [{name: " + "x".repeat(60) + ", " + TEMPLATE + "}]",
              "spec.replicatedJobs[0].name"),
          new Bad(
              "replicatedJobs: [{name: Upper, " + TEMPLATE + "}]", "spec.replicatedJobs[0].name"),
          new Bad(
              "replicatedJobs: [{name: a, groupName: A B, " + TEMPLATE + "}]",
              "spec.replicatedJobs[0].groupName"),
          new Bad(
              "replicatedJobs: [{name: a, replicas: 1073741824, " + TEMPLATE + "}]",
              "spec.replicatedJobs[0].replicas"),
          new Bad(
              "replicatedJobs: [{name: a, dependsOn: [{name: a, status: Ready}], "
                  + TEMPLATE
                  + "}]",
              "spec.replicatedJobs[0].dependsOn[0].name"),
          new Bad(JOBS + ", network: {subdomain: Not.Good}", "spec.network.subdomain"),
          new Bad(
              JOBS + ", successPolicy: {operator: All, targetReplicatedJobs: [c]}",
              "spec.successPolicy.targetReplicatedJobs[0]"),
          new Bad(
              JOBS + ", failurePolicy: {rules: [{name: 1st, action: FailJobSet}]}",
              "spec.failurePolicy.rules[0].name"),
          new Bad(
              JOBS
                  + ", failurePolicy: {rules: [{name: r, action: FailJobSet}, {name: r, action: FailJobSet}]}",
              "spec.failurePolicy.rules[1].name"),
          new Bad(
              JOBS
                  + ", failurePolicy: {rules: [{action: FailJobSet, onJobFailureReasons: [Bored]}]}",
              "spec.failurePolicy.rules[0].onJobFailureReasons[0]"),
          new Bad(
              JOBS
                  + ", failurePolicy: {rules: [{action: FailJobSet, onJobFailureMessagePatterns: ['(']}]}",
              "spec.failurePolicy.rules[0].onJobFailureMessagePatterns[0]"),
          new Bad(
              JOBS + ", failurePolicy: {rules: [{action: FailJobSet, targetReplicatedJobs: [c]}]}",
              "spec.failurePolicy.rules[0].targetReplicatedJobs[0]"),
          new Bad(JOBS + ", coordinator: {replicatedJob: c}", "spec.coordinator.replicatedJob"),
          new Bad(
              JOBS + ", coordinator: {replicatedJob: a, jobIndex: 2}", "spec.coordinator.jobIndex"),
          new Bad(
              JOBS + ", coordinator: {replicatedJob: a, podIndex: 2}", "spec.coordinator.podIndex"),
          new Bad(JOBS + ", managedBy: me", "spec.managedBy"),
          new Bad(
              JOBS + ", volumeClaimPolicies: [{templates: [{metadata: {name: data}}]}]",
              "spec.volumeClaimPolicies"));

  @ParameterizedTest
  @FieldSource("BAD")
  void refusesWhatCannotWork(Bad bad) {
    assertThatThrownBy(() -> rules.checkCreate(set(bad.spec())))
        .hasMessageContaining(bad.field() + ":");
  }

  @Test
  void onlyThePlacementOfASuspendedJobSetMayChange() {
    ApiObject running = set(JOBS);
    ApiObject suspended = set(JOBS + ", suspend: true");
    String placed =
        JOBS.replace("{spec: {containers", "{spec: {nodeSelector: {zone: z}, containers");
    String other = JOBS.replace("image: i", "image: j");

    assertThatCode(() -> rules.checkUpdate(suspended, set(placed))).doesNotThrowAnyException();
    assertThatCode(() -> rules.checkUpdate(running, set(JOBS + ", suspend: true")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> rules.checkUpdate(running, set(placed)))
        .hasMessageContaining("spec.replicatedJobs");
    assertThatThrownBy(() -> rules.checkUpdate(suspended, set(other)))
        .hasMessageContaining("spec.replicatedJobs");
    assertThatThrownBy(() -> rules.checkUpdate(running, set(JOBS + ", managedBy: a.b/c")))
        .hasMessageContaining("spec.managedBy");
  }
}
