package dev.sluice.controllers.queueing.rules;

import static dev.sluice.controllers.queueing.rules.QuotaText.flavor;
import static dev.sluice.controllers.queueing.rules.QuotaText.group;
import static dev.sluice.controllers.queueing.rules.QuotaText.groups;
import static dev.sluice.controllers.queueing.rules.QuotaText.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.runtime.AdmissionHook;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The rules that only ClusterQueues have. */
class ClusterQueueRulesTest {
  private static final ClusterQueueRules CONCURRENT =
      new ClusterQueueRules(Settings.with(Gate.CONCURRENT_ADMISSION));
  private static final AdmissionHook QUEUES = new ClusterQueueRules(Configuration.DEFAULT);

  static final List<QueueCase> CASES =
      List.of(
          rule(
              "no more is lent than there is",
              "cohortName: c, " + one("{name: cpu, nominalQuota: 1, lendingLimit: 1}"),
              "cohortName: c, " + one("{name: cpu, nominalQuota: 1, lendingLimit: 1001m}"),
              "spec.resourceGroups[0].flavors[0].resources[0].lendingLimit"),
          rule(
              "256 flavors are enough",
              groups(flavors(0, 128, "cpu"), flavors(128, 256, "memory")),
              groups(flavors(0, 128, "cpu"), flavors(128, 257, "memory")),
              "spec.resourceGroups"),
          rule(
              "256 covered resources are enough",
              groups(covered(0, 256)),
              groups(covered(0, 257)),
              "spec.resourceGroups"),
          rule(
              "512 pairs of flavor and resource in a group are enough",
              groups(group("a, b, c, d", quotas(128))),
              groups(group("a, b, c, d", quotas(129))),
              "spec.resourceGroups[0]"),
          rule(
              "a queue that never reclaims does not preempt while borrowing",
              "preemption: {reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority}}",
              "preemption: {reclaimWithinCohort: Never, borrowWithinCohort: {policy:"
                  + " LowerPriority}}",
              "spec.preemption"),
          rule(
              "a preference needs a search that goes on",
              "flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor,"
                  + " preference: PreemptionOverBorrowing}",
              "flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt: TryNextFlavor,"
                  + " preference: PreemptionOverBorrowing}",
              "spec.flavorFungibility.preference"),
          rule(
              "a check is for flavors of the queue",
              one("{name: cpu, nominalQuota: 1}") + checks("a"),
              one("{name: cpu, nominalQuota: 1}") + checks("b"),
              "spec.admissionChecksStrategy.admissionChecks[0].onFlavors[0]"),
          rule(
              "a selector has an operator that exists",
              selector("{key: team, operator: In, values: [a]}"),
              selector("{key: team, operator: Is, values: []}"),
              "spec.namespaceSelector.matchExpressions[0].operator"),
          rule(
              "a selector has values to compare with",
              selector("{key: team, operator: NotIn, values: [a]}"),
              selector("{key: team, operator: NotIn}"),
              "spec.namespaceSelector.matchExpressions[0].values"),
          rule(
              "a selector compares with values only where it can",
              selector("{key: team, operator: Exists}"),
              selector("{key: team, operator: Exists, values: [a]}"),
              "spec.namespaceSelector.matchExpressions[0].values"),
          rule(
              "a selector has labels that can exist",
              "namespaceSelector: {matchLabels: {team: a}}",
              "namespaceSelector: {matchLabels: {team: 'a b'}}",
              "spec.namespaceSelector.matchLabels"));

  private static QueueCase rule(String name, String accepted, String refused, String field) {
    return new QueueCase(name, Kinds.CLUSTER_QUEUE, accepted, refused, field);
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void newQueueIsValidated(QueueCase c) {
    c.assertCreate();
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void changeIsValidated(QueueCase c) {
    c.assertUpdate();
  }

  @Test
  void flavorOfACheckCannotBeRemoved() {
    ApiObject before = queue(one("{name: cpu, nominalQuota: 1}") + checks("a"));
    ApiObject after = queue(groups(group("cpu", flavor("b", "cpu"))) + checks("a"));

    assertThat(RuleFixtures.fields(() -> QUEUES.checkUpdate(before, after)))
        .containsExactly("spec.admissionChecksStrategy.admissionChecks[0].onFlavors[0]");
  }

  @Test
  void updateNeedsChecksForKnownFlavorsWithTheGate() {
    ApiObject queue = queue(one("{name: cpu, nominalQuota: 1}") + checks("b"));
    var strict = new ClusterQueueRules(Settings.with(Gate.REJECT_INVALID_ON_FLAVORS));

    assertThat(RuleFixtures.fields(() -> QUEUES.checkUpdate(queue, queue))).isEmpty();
    assertThat(RuleFixtures.fields(() -> strict.checkUpdate(queue, queue)))
        .containsExactly("spec.admissionChecksStrategy.admissionChecks[0].onFlavors[0]");
  }

  @Test
  void fieldWithoutEffectCausesAWarning() {
    assertThat(QUEUES.warnings(queue("concurrentAdmissionPolicy: {}")))
        .containsExactly(
            "spec.concurrentAdmissionPolicy: has no effect: the feature gate ConcurrentAdmission is"
                + " off");
    assertThat(CONCURRENT.warnings(queue("concurrentAdmissionPolicy: {}"))).isEmpty();
    assertThat(QUEUES.warnings(queue("cohortName: c"))).isEmpty();
  }

  record Variants(String name, String spec, String field) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Variants> VARIANTS =
      List.of(
          new Variants("one group", groups(flavors(0, 16, "cpu")), ""),
          new Variants(
              "two groups",
              groups(flavors(0, 1, "cpu"), flavors(1, 2, "memory")),
              "spec.resourceGroups"),
          new Variants("no group", "cohortName: c", "spec.resourceGroups"),
          new Variants(
              "too many flavors", groups(flavors(0, 17, "cpu")), "spec.resourceGroups[0].flavors"),
          new Variants(
              "strict",
              groups(flavors(0, 2, "cpu")) + ", queueingStrategy: StrictFIFO",
              "spec.queueingStrategy"));

  @ParameterizedTest
  @FieldSource("VARIANTS")
  void queueWithVariantsIsValidated(Variants c) {
    ApiObject queue = queue(c.spec + ", " + policy("TryPreferredFlavors", ""));

    assertThat(RuleFixtures.fields(() -> CONCURRENT.checkCreate(queue)))
        .isEqualTo(c.field.isEmpty() ? List.of() : List.of(c.field));
    assertThat(RuleFixtures.fields(() -> QUEUES.checkCreate(queue))).isEmpty();
  }

  @Test
  void lastAcceptableFlavorMustBeOneOfTheQueue() {
    String spec = groups(flavors(0, 2, "cpu")) + ", ";
    String field = "spec.concurrentAdmissionPolicy.migration.constraints.lastAcceptableFlavorName";
    ApiObject good = queue(spec + policy("TryPreferredFlavors", "f1"));
    ApiObject bad = queue(spec + policy("TryPreferredFlavors", "f2"));

    assertThat(RuleFixtures.fields(() -> CONCURRENT.checkCreate(good))).isEmpty();
    assertThat(RuleFixtures.fields(() -> CONCURRENT.checkCreate(bad))).containsExactly(field);
  }

  @Test
  void concurrentAdmissionPolicyIsImmutable() {
    String spec = groups(flavors(0, 2, "cpu"));
    ApiObject without = queue(spec);
    ApiObject before = queue(spec + ", " + policy("TryPreferredFlavors", ""));
    ApiObject after = queue(spec + ", " + policy("RetainFirstAdmission", ""));

    for (ApiObject other : List.of(without, after)) {
      assertThat(RuleFixtures.fields(() -> CONCURRENT.checkUpdate(before, other)))
          .containsExactly("spec.concurrentAdmissionPolicy");
      assertThat(RuleFixtures.fields(() -> CONCURRENT.checkUpdate(other, before)))
          .containsExactly("spec.concurrentAdmissionPolicy");
      assertThat(RuleFixtures.fields(() -> QUEUES.checkUpdate(before, other))).isEmpty();
    }
  }

  private static String policy(String mode, String last) {
    return "concurrentAdmissionPolicy: {migration: {mode: %s%s}}"
        .formatted(
            mode, last.isEmpty() ? "" : ", constraints: {lastAcceptableFlavorName: " + last + "}");
  }

  @Test
  void newQueueGetsAFinalizer() {
    ApiObject queue = queue("cohortName: c");

    assertThat(QUEUES.onCreate(queue).finalizers()).containsExactly(KueueNames.IN_USE);
    assertThat(QUEUES.onCreate(QUEUES.onCreate(queue)).finalizers()).hasSize(1);
    assertThat(new CohortRules().onCreate(queue).finalizers()).isEmpty();
  }

  private static ApiObject queue(String spec) {
    return ApiObject.of(Kinds.CLUSTER_QUEUE, "", "q").withSpec(RuleFixtures.tree("{" + spec + "}"));
  }

  private static String flavors(int from, int to, String resource) {
    return group(
        resource,
        IntStream.range(from, to)
            .mapToObj(i -> flavor("f" + i, resource))
            .collect(Collectors.joining(", ")));
  }

  private static String quotas(int flavors) {
    return IntStream.range(0, flavors)
        .mapToObj(i -> flavor("f" + i, "a", "b", "c", "d"))
        .collect(Collectors.joining(", "));
  }

  private static String covered(int from, int to) {
    return group(
        IntStream.range(from, to).mapToObj(i -> "r" + i).collect(Collectors.joining(", ")), "");
  }

  private static String checks(String flavor) {
    return ", admissionChecksStrategy: {admissionChecks: [{name: c, onFlavors: [" + flavor + "]}]}";
  }

  private static String selector(String expression) {
    return "namespaceSelector: {matchExpressions: [" + expression + "]}";
  }
}
