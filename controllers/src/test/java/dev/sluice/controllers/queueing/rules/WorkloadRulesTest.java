package dev.sluice.controllers.queueing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The validation of Workloads: each rule with a valid and an invalid object or change. */
class WorkloadRulesTest {
  private static final WorkloadRules RULES = new WorkloadRules(Settings.with(Gate.PRIORITY_BOOST));
  private static final String SET = "spec.podSets[0]";
  private static final String GATED = "metadata.annotations[" + KueueNames.ADMISSION_GATED_BY + "]";
  private static final String BOOST = "metadata.annotations[" + KueueNames.PRIORITY_BOOST + "]";

  record Case(String name, ApiObject accepted, ApiObject refused, String field) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> NEW =
      List.of(
          new Case(
              "quota counts the pods",
              container("requests: {cpu: 1}"),
              container("requests: {pods: 1}"),
              SET + ".template.spec.containers[0].resources.requests[pods]"),
          new Case(
              "limits have no pods either",
              container("limits: {cpu: 1}"),
              container("limits: {pods: 1}"),
              SET + ".template.spec.containers[0].resources.limits[pods]"),
          new Case(
              "requests are not below zero",
              container("requests: {cpu: 0}"),
              container("requests: {cpu: -1m}"),
              SET + ".template.spec.containers[0].resources.requests[cpu]"),
          new Case(
              "requests are numbers",
              container("requests: {cpu: '1'}"),
              container("requests: {cpu: many}"),
              SET + ".template.spec.containers[0].resources.requests[cpu]"),
          new Case(
              "init containers are containers",
              template("{spec: {initContainers: [{resources: {limits: {memory: 1}}}]}}"),
              template("{spec: {initContainers: [{resources: {limits: {memory: -1}}}]}}"),
              SET + ".template.spec.initContainers[0].resources.limits[memory]"),
          new Case(
              "a pod asks as a whole",
              template("{spec: {resources: {requests: {cpu: 1}}}}"),
              template("{spec: {resources: {requests: {pods: 1}}}}"),
              SET + ".template.spec.resources.requests[pods]"),
          new Case(
              "labels of pods are labels",
              template("{metadata: {labels: {app: web}}}"),
              template("{metadata: {labels: {app: 'a web app'}}}"),
              SET + ".template.metadata.labels"),
          new Case(
              "annotations of pods have keys",
              template("{metadata: {annotations: {Example.com/note: 'anything at all'}}}"),
              template("{metadata: {annotations: {'a note': x}}}"),
              SET + ".template.metadata.annotations"),
          new Case(
              "one pod set may start in part",
              podSets("{name: a, count: 2, minCount: 1}, {name: b}"),
              podSets("{name: a, count: 2, minCount: 1}, {name: b, count: 2, minCount: 1}"),
              "spec.podSets"),
          new Case(
              "an elastic workload starts as a whole",
              podSets("{name: a, count: 2}").withAnnotation(KueueNames.ELASTIC_JOB, "true"),
              podSets("{name: a, count: 2, minCount: 1}")
                  .withAnnotation(KueueNames.ELASTIC_JOB, "true"),
              SET + ".minCount"),
          new Case("gates have names", gated("example.com/a,b"), gated("a,,b"), GATED),
          new Case("gates have no blanks", gated("a,b"), gated("a, b"), GATED),
          new Case("gates are different", gated("a,b"), gated("a,b,a"), GATED),
          new Case("a boost is a number", boosted("-5"), boosted("five"), BOOST),
          new Case("a boost has 32 bits", boosted("2147483647"), boosted("2147483648"), BOOST));

  @ParameterizedTest
  @FieldSource("NEW")
  void newWorkloadIsValidated(Case c) {
    assertThat(RuleFixtures.fields(() -> RULES.checkCreate(c.accepted()))).isEmpty();
    assertThat(RuleFixtures.fields(() -> RULES.checkCreate(c.refused())))
        .containsExactly(c.field());
    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(c.refused(), c.refused()))).isEmpty();
  }

  /** A change that is valid without reserved quota, and refused with it. */
  record Change(String name, String before, String after, String field) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Change> IMMUTABLE =
      List.of(
          new Change(
              "a pod set cannot grow",
              "podSets: [{name: a, count: 1}]",
              "podSets: [{name: a, count: 2}]",
              "spec.podSets[0]"),
          new Change(
              "a pod set cannot change",
              "podSets: [{name: a}, {name: b, count: 2}]",
              "podSets: [{name: a}, {name: b, count: 1, template: {spec: {x: y}}}]",
              "spec.podSets[1]"),
          new Change(
              "a pod set cannot be added",
              "podSets: [{name: a}]",
              "podSets: [{name: a}, {name: b}]",
              "spec.podSets"),
          new Change("the queue stays", "queueName: a", "queueName: b", "spec.queueName"),
          new Change(
              "a priority class cannot be added",
              "queueName: a",
              "queueName: a, priorityClassRef: {group: g, kind: k, name: n}",
              "spec.priorityClassRef"),
          new Change(
              "a priority class cannot be removed",
              "priorityClassRef: {group: g, kind: k, name: n}",
              "priority: 1",
              "spec.priorityClassRef"),
          new Change(
              "the group of a priority class stays",
              "priorityClassRef: {group: g, kind: k, name: n}",
              "priorityClassRef: {group: h, kind: k, name: n}",
              "spec.priorityClassRef.group"),
          new Change(
              "the kind of a priority class stays",
              "priorityClassRef: {group: g, kind: k, name: n}",
              "priorityClassRef: {group: g, kind: l, name: n}",
              "spec.priorityClassRef.kind"),
          new Change(
              "a pod's priority class stays",
              "priorityClassRef: {group: g, kind: PriorityClass, name: n}",
              "priorityClassRef: {group: g, kind: PriorityClass, name: m}",
              "spec.priorityClassRef.name"));

  @ParameterizedTest
  @FieldSource("IMMUTABLE")
  void reservedWorkloadIsImmutable(Change c) {
    ApiObject before = workload(c.before());
    ApiObject after = workload(c.after());

    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(before, after))).isEmpty();
    assertThat(
            RuleFixtures.fields(() ->
                RULES.checkUpdate(
                    RuleFixtures.having(before, WorkloadStatus.QUOTA_RESERVED),
                    RuleFixtures.having(after, WorkloadStatus.QUOTA_RESERVED))))
        .containsExactly(c.field());
  }

  static final List<Change> MUTABLE =
      List.of(
          new Change(
              "elastic jobs shrink",
              "podSets: [{name: a, count: 2}]",
              "podSets: [{name: a, count: 1}]",
              ""),
          new Change("priority is free", "priority: 1", "priority: 2", ""),
          new Change(
              "another WorkloadPriorityClass",
              "priorityClassRef: {group: g, kind: WorkloadPriorityClass, name: n}",
              "priorityClassRef: {group: g, kind: WorkloadPriorityClass, name: m}",
              ""),
          new Change("it can be stopped", "active: true", "active: false", ""));

  @ParameterizedTest
  @FieldSource("MUTABLE")
  void reservedWorkloadCanChangeOtherFields(Change c) {
    ApiObject before = RuleFixtures.having(workload(c.before()), WorkloadStatus.QUOTA_RESERVED);
    ApiObject after = RuleFixtures.having(workload(c.after()), WorkloadStatus.QUOTA_RESERVED);

    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(before, after))).isEmpty();
  }

  @Test
  void reservedWorkloadCannotScaleDownWithoutTheGate() {
    var rigid = new WorkloadRules(Settings.without(Gate.ELASTIC_JOBS));
    ApiObject before =
        RuleFixtures.having(
            workload("podSets: [{name: a, count: 2}]"), WorkloadStatus.QUOTA_RESERVED);
    ApiObject after = before.withSpec(workload("podSets: [{name: a, count: 1}]").spec());

    assertThat(RuleFixtures.fields(() -> rigid.checkUpdate(before, after)))
        .containsExactly("spec.podSets[0]");
  }

  @Test
  void executionTimeOfAnAdmittedWorkloadIsImmutable() {
    ApiObject reserved =
        RuleFixtures.having(
            workload("maximumExecutionTimeSeconds: 60"), WorkloadStatus.QUOTA_RESERVED);
    ApiObject longer = reserved.with(List.of("spec", "maximumExecutionTimeSeconds"), 90);
    ApiObject running = RuleFixtures.having(reserved, WorkloadStatus.ADMITTED);

    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(reserved, longer))).isEmpty();
    assertThat(
            RuleFixtures.fields(
                () -> RULES.checkUpdate(running, longer.withStatus(running.status()))))
        .containsExactly("spec.maximumExecutionTimeSeconds");
  }

  @Test
  void gatesCanOnlyBeRemoved() {
    ApiObject two = gated("a,b");

    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(two, gated("b")))).isEmpty();
    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(two, workload("priority: 1"))))
        .isEmpty();
    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(gated("b"), two)))
        .containsExactly(GATED);
    assertThat(RuleFixtures.fields(() -> RULES.checkUpdate(workload("priority: 1"), gated("a"))))
        .containsExactly(GATED);
  }

  @Test
  void disabledFeatureIsNotValidated() {
    var rules = new WorkloadRules(Settings.without(Gate.ADMISSION_GATED_BY));

    assertThat(RuleFixtures.fields(() -> rules.checkCreate(gated(",")))).isEmpty();
    assertThat(RuleFixtures.fields(() -> rules.checkUpdate(gated("a"), gated("b")))).isEmpty();
    assertThat(RuleFixtures.fields(() -> rules.checkCreate(boosted("five")))).isEmpty();
  }

  @Test
  void singlePodSetNeedsNoName() {
    ApiObject completed = RULES.onCreate(podSets("{count: 3, minCount: 1}"));

    PodSet only = new Workload(completed).podSets().getFirst();
    assertThat(only.tree()).isEqualTo(RuleFixtures.tree("{name: main, count: 3, minCount: 1}"));
    ApiObject two = podSets("{name: a}, {count: 1}");
    assertThat(RULES.onCreate(two)).isSameAs(two);
  }

  @Test
  void fieldWithoutEffectCausesAWarning() {
    ApiObject odd =
        podSets("{name: a}, {name: b, topologyRequest: {preferred: rack, subGroupCount: -1}}");

    assertThat(RULES.warnings(odd))
        .containsExactly(
            "spec.podSets[1].topologyRequest.subGroupCount: -1 is below zero, and so counts for"
                + " nothing",
            "spec.podSets[1].topologyRequest.preferred: has no effect: topology-aware scheduling is"
                + " not part of Sluice yet");
    assertThat(RULES.warnings(podSets("{name: a, topologyRequest: {subGroupCount: 1}}"))).isEmpty();
    assertThat(RULES.warnings(workload("preemptionGates: [{name: g}]")))
        .containsExactly(
            "spec.preemptionGates: has no effect: the feature gate ConcurrentAdmission is off");
    assertThat(
            new WorkloadRules(Settings.with(Gate.CONCURRENT_ADMISSION))
                .warnings(workload("preemptionGates: [{name: g}]")))
        .isEmpty();
  }

  @Test
  void minimumIsRemovedWithoutPartialAdmission() {
    var rules = new WorkloadRules(Settings.without(Gate.PARTIAL_ADMISSION));

    ApiObject completed = rules.onCreate(podSets("{name: a, minCount: 1}, {name: b}"));

    assertThat(completed).isEqualTo(podSets("{name: a}, {name: b}"));
  }

  @Test
  void workloadWithoutPodSetsIsLeftToItsSchema() {
    ApiObject empty = workload("podSets: none");

    assertThat(new WorkloadRules(Configuration.DEFAULT).onCreate(empty)).isSameAs(empty);
    assertThat(RuleFixtures.fields(() -> RULES.checkCreate(empty))).isEmpty();
  }

  private static ApiObject workload(String spec) {
    return ApiObject.of(Kinds.WORKLOAD, "default", "w")
        .withSpec(RuleFixtures.tree("{" + spec + "}"));
  }

  private static ApiObject podSets(String podSets) {
    return workload("podSets: [" + podSets + "]");
  }

  private static ApiObject template(String template) {
    return podSets("{name: main, template: " + template + "}");
  }

  private static ApiObject container(String resources) {
    return template("{spec: {containers: [{resources: {" + resources + "}}]}}");
  }

  private static ApiObject gated(String gates) {
    return workload("priority: 1").withAnnotation(KueueNames.ADMISSION_GATED_BY, gates);
  }

  private static ApiObject boosted(String boost) {
    return workload("priority: 1").withAnnotation(KueueNames.PRIORITY_BOOST, boost);
  }
}
