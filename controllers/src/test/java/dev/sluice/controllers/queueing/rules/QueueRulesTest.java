package dev.sluice.controllers.queueing.rules;

import static dev.sluice.controllers.queueing.rules.QuotaText.flavor;
import static dev.sluice.controllers.queueing.rules.QuotaText.group;
import static dev.sluice.controllers.queueing.rules.QuotaText.groups;
import static dev.sluice.controllers.queueing.rules.QuotaText.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The rules that ClusterQueues and Cohorts share. */
class QueueRulesTest {
  private static final String QUOTA = "spec.resourceGroups[0].flavors[0].resources[0]";

  static final List<QueueCase> CASES = cases();

  private static List<QueueCase> cases() {
    var cases = new ArrayList<QueueCase>();
    for (ResourceKind kind : List.of(Kinds.CLUSTER_QUEUE, Kinds.COHORT)) {
      cases.addAll(cases(kind, kind.equals(Kinds.COHORT) ? "parentName" : "cohortName"));
    }
    return cases;
  }

  private static List<QueueCase> cases(ResourceKind kind, String parent) {
    return List.of(
        new QueueCase(
            "a quota is not below zero",
            kind,
            one("{name: cpu, nominalQuota: 0}"),
            one("{name: cpu, nominalQuota: -1}"),
            QUOTA + ".nominalQuota"),
        new QueueCase(
            "a quota may be larger than 64 bits, but must be a number",
            kind,
            one("{name: cpu, nominalQuota: '99999999999999999999E'}"),
            one("{name: cpu, nominalQuota: '1e9999'}"),
            QUOTA + ".nominalQuota"),
        new QueueCase(
            "a borrowing limit is not below zero",
            kind,
            parent + ": c, " + one("{name: cpu, nominalQuota: 1, borrowingLimit: 0}"),
            parent + ": c, " + one("{name: cpu, nominalQuota: 1, borrowingLimit: -1m}"),
            QUOTA + ".borrowingLimit"),
        new QueueCase(
            "a lending limit is not below zero",
            kind,
            parent + ": c, " + one("{name: cpu, nominalQuota: 1, lendingLimit: 0}"),
            parent + ": c, " + one("{name: cpu, nominalQuota: 1, lendingLimit: -1}"),
            QUOTA + ".lendingLimit"),
        new QueueCase(
            "a queue without a cohort has no borrowing limit",
            kind,
            parent + ": c, " + one("{name: cpu, nominalQuota: 1, borrowingLimit: 5}"),
            one("{name: cpu, nominalQuota: 1, borrowingLimit: 5}"),
            QUOTA + ".borrowingLimit"),
        new QueueCase(
            "a queue without a cohort has no lending limit",
            kind,
            parent + ": c, " + one("{name: cpu, nominalQuota: 1, lendingLimit: 1}"),
            one("{name: cpu, nominalQuota: 1, lendingLimit: 1}"),
            QUOTA + ".lendingLimit"),
        new QueueCase(
            "resources are in the order of coveredResources",
            kind,
            groups(group("cpu, memory", flavor("a", "cpu", "memory"))),
            groups(group("cpu, memory", flavor("a", "memory", "memory"))),
            QUOTA + ".name"),
        new QueueCase(
            "a resource is in one group only",
            kind,
            groups(group("cpu", flavor("a", "cpu")), group("memory", flavor("b", "memory"))),
            groups(group("cpu", flavor("a", "cpu")), group("cpu", flavor("b", "cpu"))),
            "spec.resourceGroups[1].coveredResources[0]"),
        new QueueCase(
            "a flavor is in one group only",
            kind,
            groups(group("cpu", flavor("a", "cpu")), group("memory", flavor("b", "memory"))),
            groups(group("cpu", flavor("a", "cpu")), group("memory", flavor("a", "memory"))),
            "spec.resourceGroups[1].flavors[0].name"),
        new QueueCase(
            "a resource has the name of one",
            kind,
            groups(group("nvidia.com/gpu", flavor("a", "nvidia.com/gpu"))),
            groups(group("'no name'", flavor("a", "'no name'"))),
            "spec.resourceGroups[0].coveredResources[0]"),
        new QueueCase(
            "a fair weight is not below zero",
            kind,
            "fairSharing: {weight: 0}",
            "fairSharing: {weight: -1}",
            "spec.fairSharing.weight"),
        new QueueCase(
            "a fair weight is not so small that it vanishes",
            kind,
            "fairSharing: {weight: 2n}",
            "fairSharing: {weight: 1n}",
            "spec.fairSharing.weight"));
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void newObjectIsValidated(QueueCase c) {
    c.assertCreate();
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void changeIsValidated(QueueCase c) {
    c.assertUpdate();
  }

  @Test
  void cohortMayLendTheQuotaOfItsSubtree() {
    String spec = "parentName: c, " + one("{name: cpu, nominalQuota: 1, lendingLimit: 5}");

    assertThat(
            RuleFixtures.fields(() ->
                new CohortRules()
                    .checkCreate(
                        ApiObject.of(Kinds.COHORT, "", "c")
                            .withSpec(RuleFixtures.tree("{" + spec + "}")))))
        .isEmpty();
  }
}
