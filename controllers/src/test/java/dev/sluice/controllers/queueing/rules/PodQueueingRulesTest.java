package dev.sluice.controllers.queueing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.testkit.FakeCluster;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The validation of single pods and pods of groups. */
class PodQueueingRulesTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private final PodQueueingRules rules = new PodQueueingRules(cluster, Configuration.DEFAULT);

  record Case(String name, ApiObject accepted, ApiObject refused, String field) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> NEW =
      List.of(
          new Case(
              "a queue name is a name",
              label(KueueNames.QUEUE_NAME, "q"),
              label(KueueNames.QUEUE_NAME, "Q"),
              "metadata.labels[kueue.x-k8s.io/queue-name]"),
          new Case(
              "managed is managed",
              label(KueueNames.MANAGED, "true"),
              label(KueueNames.MANAGED, "false"),
              "metadata.labels[kueue.x-k8s.io/managed]"),
          new Case(
              "a group has a size",
              member("g", "2"),
              label(KueueNames.POD_GROUP, "g"),
              "metadata.annotations[kueue.x-k8s.io/pod-group-total-count]"),
          new Case(
              "a size is that of a group",
              member("g", "2"),
              annotation(KueueNames.POD_GROUP_TOTAL, "2"),
              "metadata.labels[kueue.x-k8s.io/pod-group-name]"),
          new Case(
              "a group has pods",
              member("g", "1"),
              member("g", "0"),
              "metadata.annotations[kueue.x-k8s.io/pod-group-total-count]"),
          new Case(
              "the size of a group is a number",
              member("g", "1"),
              member("g", "all"),
              "metadata.annotations[kueue.x-k8s.io/pod-group-total-count]"),
          new Case(
              "a group has the name of a workload",
              member("g", "1"),
              member("G", "1"),
              "metadata.labels[kueue.x-k8s.io/pod-group-name]"),
          new Case(
              "a group has that name in an annotation too",
              annotatedMember("g"),
              annotatedMember("a group"),
              "metadata.annotations[kueue.x-k8s.io/pod-group-name]"),
          new Case(
              "the prebuilt workload of a group has its name",
              member("g", "1").withLabel(KueueNames.PREBUILT_WORKLOAD, "g"),
              member("g", "1").withLabel(KueueNames.PREBUILT_WORKLOAD, "h"),
              "metadata.labels[kueue.x-k8s.io/prebuilt-workload-name]"),
          new Case(
              "pods are not elastic",
              annotation(KueueNames.ELASTIC_JOB, "false"),
              annotation(KueueNames.ELASTIC_JOB, "true"),
              "metadata.annotations[kueue.x-k8s.io/elastic-job]"));

  @ParameterizedTest
  @FieldSource("NEW")
  void newPodIsValidated(Case c) {
    assertThat(RuleFixtures.fields(() -> rules.checkCreate(c.accepted()))).isEmpty();
    assertThat(RuleFixtures.fields(() -> rules.checkCreate(c.refused())))
        .containsExactly(c.field());
    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(c.refused(), c.refused()))).isEmpty();
  }

  /** A pod, a valid change and an invalid change. */
  record Change(
      String name, ApiObject before, ApiObject accepted, ApiObject refused, String field) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Change> CHANGES =
      List.of(
          new Change(
              "a pod that waits can move to another queue, one that runs cannot",
              gated(label(KueueNames.QUEUE_NAME, "a")),
              gated(label(KueueNames.QUEUE_NAME, "b")),
              label(KueueNames.QUEUE_NAME, "b"),
              "metadata.labels[kueue.x-k8s.io/queue-name]"),
          new Change(
              "a pod stays in its group",
              member("g", "1"),
              annotatedMember("g"),
              member("h", "1"),
              "metadata.labels[kueue.x-k8s.io/pod-group-name]"),
          new Change(
              "a pod can join a group but not leave it",
              member("g", "1"),
              member("g", "2"),
              RuleFixtures.pod(),
              "metadata.labels[kueue.x-k8s.io/pod-group-name]"),
          new Change(
              "a final failure stays final",
              member("g", "1").withAnnotation(KueueNames.RETRIABLE_IN_GROUP, "false"),
              member("g", "2").withAnnotation(KueueNames.RETRIABLE_IN_GROUP, "false"),
              member("g", "1").withAnnotation(KueueNames.RETRIABLE_IN_GROUP, "true"),
              "metadata.annotations[kueue.x-k8s.io/retriable-in-group]"),
          new Change(
              "a managed pod stays managed",
              label(KueueNames.MANAGED, "true"),
              label(KueueNames.MANAGED, "true").withLabel("any", "label"),
              RuleFixtures.pod(),
              "metadata.labels[kueue.x-k8s.io/managed]"),
          new Change(
              "a managed pod keeps its role",
              managed("role"),
              managed("role").with(List.of("spec", "nodeSelector"), Tree.of("a", "b")),
              managed("another"),
              "metadata.annotations[kueue.x-k8s.io/role-hash]"));

  @ParameterizedTest
  @FieldSource("CHANGES")
  void changeIsValidated(Change c) {
    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(c.before(), c.accepted()))).isEmpty();
    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(c.before(), c.refused())))
        .containsExactly(c.field());
  }

  @Test
  void onlyEnabledIntegrationsHaveRules() {
    assertThat(QueueingRules.all(cluster, Configuration.DEFAULT))
        .extracting(AdmissionHook::kind)
        .containsExactly(
            Kinds.CLUSTER_QUEUE,
            Kinds.COHORT,
            Kinds.RESOURCE_FLAVOR,
            Kinds.WORKLOAD,
            Kinds.JOB,
            Kinds.POD);
    assertThat(QueueingRules.all(cluster, Settings.withFrameworks(Set.of())))
        .extracting(AdmissionHook::kind)
        .containsExactly(Kinds.CLUSTER_QUEUE, Kinds.COHORT, Kinds.RESOURCE_FLAVOR, Kinds.WORKLOAD);
  }

  private static ApiObject label(String name, String value) {
    return RuleFixtures.pod().withLabel(name, value);
  }

  private static ApiObject annotation(String name, String value) {
    return RuleFixtures.pod().withAnnotation(name, value);
  }

  private static ApiObject member(String group, String total) {
    return label(KueueNames.POD_GROUP, group).withAnnotation(KueueNames.POD_GROUP_TOTAL, total);
  }

  private static ApiObject annotatedMember(String group) {
    return annotation(KueueNames.POD_GROUP, group).withAnnotation(KueueNames.POD_GROUP_TOTAL, "1");
  }

  private static ApiObject managed(String role) {
    return label(KueueNames.MANAGED, "true").withAnnotation(KueueNames.ROLE_HASH, role);
  }

  private static ApiObject gated(ApiObject pod) {
    return new ApiObject(PodGates.withGate(pod.tree(), KueueNames.ADMISSION_GATE));
  }
}
