package dev.sluice.controllers.queueing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.runtime.AdmissionHook;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** ClusterQueues and Cohorts: each rule with a spec it lets pass and one it refuses. */
class QueueRulesTest {
  private static final AdmissionHook QUEUES = new ClusterQueueRules(Configuration.DEFAULT);
  private static final AdmissionHook COHORTS = new CohortRules();

  record Case(String name, ResourceKind kind, String accepted, String refused, String field) {
    @Override
    public String toString() {
      return kind.kind() + ": " + name;
    }
  }

  private static final String QUOTA = "spec.resourceGroups[0].flavors[0].resources[0]";

  static final List<Case> CASES = cases();

  private static List<Case> cases() {
    var cases = new ArrayList<Case>();
    for (ResourceKind kind : List.of(Kinds.CLUSTER_QUEUE, Kinds.COHORT)) {
      String parent = kind.equals(Kinds.COHORT) ? "parentName" : "cohortName";
      cases.addAll(quotaCases(kind, parent));
    }
    cases.addAll(queueCases());
    return cases;
  }

  private static List<Case> quotaCases(ResourceKind kind, String parent) {
    return List.of(
        new Case(
            "a quota is not below zero",
            kind,
            one("{name: cpu, nominalQuota: 0}"),
            one("{name: cpu, nominalQuota: -1}"),
            QUOTA + ".nominalQuota"),
        new Case(
            "a quota may be larger than 64 bits, but must be a number",
            kind,
            one("{name: cpu, nominalQuota: '99999999999999999999E'}"),
            one("{name: cpu, nominalQuota: '1e9999'}"),
            QUOTA + ".nominalQuota"),
        new Case(
            "a borrowing limit is not below zero",
            kind,
            parent + ": c, " + one("{name: cpu, nominalQuota: 1, borrowingLimit: 0}"),
            parent + ": c, " + one("{name: cpu, nominalQuota: 1, borrowingLimit: -1m}"),
            QUOTA + ".borrowingLimit"),
        new Case(
            "a lending limit is not below zero",
            kind,
            parent + ": c, " + one("{name: cpu, nominalQuota: 1, lendingLimit: 0}"),
            parent + ": c, " + one("{name: cpu, nominalQuota: 1, lendingLimit: -1}"),
            QUOTA + ".lendingLimit"),
        new Case(
            "who stands alone borrows from nobody",
            kind,
            parent + ": c, " + one("{name: cpu, nominalQuota: 1, borrowingLimit: 5}"),
            one("{name: cpu, nominalQuota: 1, borrowingLimit: 5}"),
            QUOTA + ".borrowingLimit"),
        new Case(
            "who stands alone lends to nobody",
            kind,
            parent + ": c, " + one("{name: cpu, nominalQuota: 1, lendingLimit: 1}"),
            one("{name: cpu, nominalQuota: 1, lendingLimit: 1}"),
            QUOTA + ".lendingLimit"),
        new Case(
            "resources stand in the order of coveredResources",
            kind,
            groups(group("cpu, memory", flavor("a", "cpu", "memory"))),
            groups(group("cpu, memory", flavor("a", "memory", "memory"))),
            QUOTA + ".name"),
        new Case(
            "a resource is in one group only",
            kind,
            groups(group("cpu", flavor("a", "cpu")), group("memory", flavor("b", "memory"))),
            groups(group("cpu", flavor("a", "cpu")), group("cpu", flavor("b", "cpu"))),
            "spec.resourceGroups[1].coveredResources[0]"),
        new Case(
            "a flavor is in one group only",
            kind,
            groups(group("cpu", flavor("a", "cpu")), group("memory", flavor("b", "memory"))),
            groups(group("cpu", flavor("a", "cpu")), group("memory", flavor("a", "memory"))),
            "spec.resourceGroups[1].flavors[0].name"),
        new Case(
            "a resource has the name of one",
            kind,
            groups(group("nvidia.com/gpu", flavor("a", "nvidia.com/gpu"))),
            groups(group("'no name'", flavor("a", "'no name'"))),
            "spec.resourceGroups[0].coveredResources[0]"),
        new Case(
            "a fair weight is not below zero",
            kind,
            "fairSharing: {weight: 0}",
            "fairSharing: {weight: -1}",
            "spec.fairSharing.weight"),
        new Case(
            "a fair weight is not so small that it vanishes",
            kind,
            "fairSharing: {weight: 2n}",
            "fairSharing: {weight: 1n}",
            "spec.fairSharing.weight"));
  }

  private static List<Case> queueCases() {
    ResourceKind kind = Kinds.CLUSTER_QUEUE;
    return List.of(
        new Case(
            "no more is lent than there is",
            kind,
            "cohortName: c, " + one("{name: cpu, nominalQuota: 1, lendingLimit: 1}"),
            "cohortName: c, " + one("{name: cpu, nominalQuota: 1, lendingLimit: 1001m}"),
            QUOTA + ".lendingLimit"),
        new Case(
            "256 flavors are enough",
            kind,
            groups(flavors(0, 128, "cpu"), flavors(128, 256, "memory")),
            groups(flavors(0, 128, "cpu"), flavors(128, 257, "memory")),
            "spec.resourceGroups"),
        new Case(
            "256 covered resources are enough",
            kind,
            groups(covered(0, 256)),
            groups(covered(0, 257)),
            "spec.resourceGroups"),
        new Case(
            "512 pairs of flavor and resource in a group are enough",
            kind,
            groups(group("a, b, c, d", quotas(128))),
            groups(group("a, b, c, d", quotas(129))),
            "spec.resourceGroups[0]"),
        new Case(
            "who never reclaims does not preempt while borrowing",
            kind,
            "preemption: {reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority}}",
            "preemption: {reclaimWithinCohort: Never, borrowWithinCohort: {policy: LowerPriority}}",
            "spec.preemption"),
        new Case(
            "a preference needs a search that goes on",
            kind,
            "flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor,"
                + " preference: PreemptionOverBorrowing}",
            "flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt: TryNextFlavor,"
                + " preference: PreemptionOverBorrowing}",
            "spec.flavorFungibility.preference"),
        new Case(
            "a check is for flavors of the queue",
            kind,
            one("{name: cpu, nominalQuota: 1}") + checks("a"),
            one("{name: cpu, nominalQuota: 1}") + checks("b"),
            "spec.admissionChecksStrategy.admissionChecks[0].onFlavors[0]"),
        new Case(
            "a selector has an operator that exists",
            kind,
            selector("{key: team, operator: In, values: [a]}"),
            selector("{key: team, operator: Is, values: []}"),
            "spec.namespaceSelector.matchExpressions[0].operator"),
        new Case(
            "a selector has values to compare with",
            kind,
            selector("{key: team, operator: NotIn, values: [a]}"),
            selector("{key: team, operator: NotIn}"),
            "spec.namespaceSelector.matchExpressions[0].values"),
        new Case(
            "a selector compares with values only where it can",
            kind,
            selector("{key: team, operator: Exists}"),
            selector("{key: team, operator: Exists, values: [a]}"),
            "spec.namespaceSelector.matchExpressions[0].values"),
        new Case(
            "a selector has labels that can exist",
            kind,
            "namespaceSelector: {matchLabels: {team: a}}",
            "namespaceSelector: {matchLabels: {team: 'a b'}}",
            "spec.namespaceSelector.matchLabels"));
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void judgesNewOnes(Case c) {
    AdmissionHook rules = rules(c.kind());

    assertThat(Judged.fields(() -> rules.checkCreate(object(c, c.accepted())))).isEmpty();
    assertThat(Judged.fields(() -> rules.checkCreate(object(c, c.refused()))))
        .containsExactly(c.field());
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void judgesChanges(Case c) {
    AdmissionHook rules = rules(c.kind());
    ApiObject good = object(c, c.accepted());
    ApiObject bad = object(c, c.refused());

    assertThat(Judged.fields(() -> rules.checkUpdate(good, bad))).containsExactly(c.field());
    assertThat(Judged.fields(() -> rules.checkUpdate(bad, good))).isEmpty();
    assertThat(Judged.fields(() -> rules.checkUpdate(bad, bad.withoutFinalizer("any")))).isEmpty();
  }

  @Test
  void aCohortMayLendWhatStandsBelowIt() {
    String spec = "parentName: c, " + one("{name: cpu, nominalQuota: 1, lendingLimit: 5}");

    assertThat(
            Judged.fields(() ->
                COHORTS.checkCreate(
                    ApiObject.of(Kinds.COHORT, "", "c").withSpec(Judged.tree("{" + spec + "}")))))
        .isEmpty();
  }

  @Test
  void aFlavorThatACheckIsForCannotGo() {
    ApiObject before = queue(one("{name: cpu, nominalQuota: 1}") + checks("a"));
    ApiObject after = queue(groups(group("cpu", flavor("b", "cpu"))) + checks("a"));

    assertThat(Judged.fields(() -> QUEUES.checkUpdate(before, after)))
        .containsExactly("spec.admissionChecksStrategy.admissionChecks[0].onFlavors[0]");
  }

  @Test
  void withItsGateEveryUpdateNeedsChecksForKnownFlavors() {
    ApiObject queue = queue(one("{name: cpu, nominalQuota: 1}") + checks("b"));
    var strict = new ClusterQueueRules(Settings.with(Gate.REJECT_INVALID_ON_FLAVORS));

    assertThat(Judged.fields(() -> QUEUES.checkUpdate(queue, queue))).isEmpty();
    assertThat(Judged.fields(() -> strict.checkUpdate(queue, queue)))
        .containsExactly("spec.admissionChecksStrategy.admissionChecks[0].onFlavors[0]");
  }

  @Test
  void whatHasNoEffectIsNamed() {
    assertThat(QUEUES.warnings(queue("concurrentAdmissionPolicy: {}")))
        .containsExactly(
            "spec.concurrentAdmissionPolicy: has no effect: this feature is not part of Sluice"
                + " yet");
    assertThat(QUEUES.warnings(queue("cohortName: c"))).isEmpty();
  }

  @Test
  void aQueueCannotVanishWhileItIsUsed() {
    ApiObject queue = queue("cohortName: c");

    assertThat(QUEUES.onCreate(queue).finalizers()).containsExactly(KueueNames.IN_USE);
    assertThat(QUEUES.onCreate(QUEUES.onCreate(queue)).finalizers()).hasSize(1);
    assertThat(COHORTS.onCreate(queue).finalizers()).isEmpty();
  }

  private static AdmissionHook rules(ResourceKind kind) {
    return kind.equals(Kinds.COHORT) ? COHORTS : QUEUES;
  }

  private static ApiObject queue(String spec) {
    return ApiObject.of(Kinds.CLUSTER_QUEUE, "", "q").withSpec(Judged.tree("{" + spec + "}"));
  }

  private static ApiObject object(Case c, String spec) {
    return ApiObject.of(c.kind(), "", "q").withSpec(Judged.tree("{" + spec + "}"));
  }

  private static String one(String resource) {
    return groups(group("cpu", "{name: a, resources: [" + resource + "]}"));
  }

  private static String groups(String... groups) {
    return "resourceGroups: [" + String.join(", ", groups) + "]";
  }

  private static String group(String covered, String flavors) {
    return "{coveredResources: [" + covered + "], flavors: [" + flavors + "]}";
  }

  private static String flavor(String name, String... resources) {
    return "{name: "
        + name
        + ", resources: ["
        + List.of(resources).stream()
            .map(resource -> "{name: " + resource + ", nominalQuota: 1}")
            .collect(Collectors.joining(", "))
        + "]}";
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
