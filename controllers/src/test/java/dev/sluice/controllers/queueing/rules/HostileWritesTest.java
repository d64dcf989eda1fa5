package dev.sluice.controllers.queueing.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sluice.controllers.configuration.Gate;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.testkit.FakeCluster;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Hostile objects are validated without failure, and the error messages stay small. */
class HostileWritesTest {
  private static final int MAX_ANSWER = 4096;

  private final List<AdmissionHook> rules =
      QueueingRules.all(new FakeCluster(1), Settings.with(Gate.PRIORITY_BOOST));

  /** Unexpected values of a field. */
  static final List<Value> ODD =
      List.of(
          Value.of("x".repeat(30_000)),
          Value.of(",".repeat(20_000)),
          Value.of("\u0000\ud83d\ude00/\u0661"),
          Value.of("99999999999999999999"),
          Value.of(Long.MIN_VALUE),
          Value.of(new BigDecimal("1e100000")),
          Value.of(true),
          Value.Null.NULL,
          Tree.EMPTY,
          Items.of(List.of("a", 1, Tree.EMPTY, Value.Null.NULL)),
          Items.of(List.of(Tree.of("name", 1, "count", "x", "flavors", 3, "resources", "y"))));

  private static final List<List<String>> FIELDS =
      List.of(
          List.of("metadata", "labels"),
          List.of("metadata", "annotations"),
          List.of("metadata", "ownerReferences"),
          List.of("metadata", "labels", KueueNames.QUEUE_NAME),
          List.of("metadata", "labels", KueueNames.MAX_EXEC_TIME),
          List.of("metadata", "labels", KueueNames.POD_GROUP),
          List.of("metadata", "annotations", KueueNames.ADMISSION_GATED_BY),
          List.of("metadata", "annotations", KueueNames.PRIORITY_BOOST),
          List.of("metadata", "annotations", KueueNames.JOB_MIN_PARALLELISM),
          List.of("metadata", "annotations", KueueNames.POD_GROUP_TOTAL),
          List.of("metadata", "annotations", KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM),
          List.of("spec"),
          List.of("spec", "resourceGroups"),
          List.of("spec", "fairSharing", "weight"),
          List.of("spec", "namespaceSelector"),
          List.of("spec", "nodeLabels", "a"),
          List.of("spec", "nodeTaints"),
          List.of("spec", "podSets"),
          List.of("spec", "schedulingGates"),
          List.of("spec", "containers"),
          List.of("spec", "parallelism"),
          List.of("status"),
          List.of("status", "admission"),
          List.of("status", "reclaimablePods"),
          List.of("status", "admissionChecks"),
          List.of("status", "clusterName"));

  @ParameterizedTest
  @FieldSource("FIELDS_AND_VALUES")
  void unexpectedValueIsAcceptedOrRefused(Odd odd) {
    for (AdmissionHook hook : rules) {
      ApiObject plain = ApiObject.of(hook.kind(), "default", "x");
      ApiObject strange = plain.with(odd.field(), odd.value());

      assertAnswers(() -> hook.checkCreate(hook.onCreate(strange)));
      assertAnswers(() -> hook.checkUpdate(plain, strange));
      assertAnswers(() -> hook.checkUpdate(strange, plain));
      assertAnswers(() -> hook.checkStatus(plain, strange));
      assertAnswers(() -> hook.checkStatus(strange, plain));
    }
  }

  record Odd(List<String> field, Value value) {
    @Override
    public String toString() {
      String text = value.toString();
      return String.join(".", field) + ": " + text.substring(0, Math.min(20, text.length()));
    }
  }

  static final List<Odd> FIELDS_AND_VALUES = odd();

  private static List<Odd> odd() {
    var all = new ArrayList<Odd>();
    FIELDS.forEach(field -> ODD.forEach(value -> all.add(new Odd(field, value))));
    return all;
  }

  private static void assertAnswers(Runnable check) {
    try {
      check.run();
    } catch (ApiException refused) {
      assertThat(refused.failure().reason()).isEqualTo(Reason.FORBIDDEN);
      assertThat(refused.failure().message().length()).isLessThan(MAX_ANSWER);
    }
  }

  @Test
  void annotationsOfATemplateMustFitInAnObject() {
    String field = "spec.podSets[0].template.metadata.annotations";

    assertThat(RuleFixtures.fields(() -> workloads().checkCreate(annotated(256 * 1024 - 1))))
        .isEmpty();
    assertThat(RuleFixtures.fields(() -> workloads().checkCreate(annotated(256 * 1024))))
        .containsExactly(field);
  }

  @Test
  void hugeQuotaIsCompared() {
    ApiObject queue =
        ApiObject.of(Kinds.CLUSTER_QUEUE, "", "q")
            .withSpec(
                RuleFixtures.tree(
                    "{cohortName: c, resourceGroups: [{coveredResources: [cpu], flavors: [{name: a,"
                        + " resources: [{name: cpu, nominalQuota: 1e30, lendingLimit:"
                        + " 1e31}]}]}]}"));

    assertThatCode(() -> rules.getFirst().checkCreate(queue))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("lendingLimit");
  }

  @Test
  void messageAboutManyProblemsIsShort() {
    var labels = new TreeMap<String, String>();
    for (int i = 0; i < 100_000; i++) {
      labels.put("k" + i, "-");
    }
    Tree template = Tree.of("metadata", Tree.of("labels", labels));
    ApiObject before = workload(Tree.EMPTY);
    ApiObject after = workload(template);

    assertThat(RuleFixtures.causes(() -> workloads().checkUpdate(before, after))).hasSize(101);
    assertThat(RuleFixtures.causes(() -> workloads().checkUpdate(after, after))).isEmpty();
  }

  private WorkloadRules workloads() {
    return new WorkloadRules(Settings.with(Gate.PRIORITY_BOOST));
  }

  /** A workload whose pods have one annotation of a total size. */
  private static ApiObject annotated(int size) {
    Tree template = Tree.EMPTY.with(List.of("metadata", "annotations", "k"), "x".repeat(size));
    return workload(template);
  }

  private static ApiObject workload(Tree template) {
    return ApiObject.of(Kinds.WORKLOAD, "default", "w")
        .withSpec(Tree.of("podSets", List.of(Tree.of("name", "main", "template", template))));
  }
}
