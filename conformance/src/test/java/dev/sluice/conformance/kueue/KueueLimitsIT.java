package dev.sluice.conformance.kueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * What API servers, a real one and ours, refuse of flavors and queues because our definitions say
 * so.
 */
@RequiresKubernetes
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KueueLimitsIT extends KueueRules {
  /** An object, as flow YAML, and a part of what the server says of it. */
  record Case(String kind, String yaml, String complaint) {
    @Override
    public String toString() {
      return kind + ": " + complaint;
    }
  }

  static final List<Case> FLAVORS =
      List.of(
          flavor("nodeLabels: {%s}".formatted(many(9, "a%d: b")), "at most 8"),
          flavor(
              "nodeTaints: [%s]".formatted(many(9, "{key: a%d, effect: NoSchedule}")), "at most 8"),
          flavor("nodeTaints: [{key: a, effect: Never}]", "supported values: \"NoSchedule\""),
          flavor("tolerations: [%s]".formatted(many(9, "{key: a%d}")), "at most 8"),
          flavor("tolerations: [{operator: Equal}]", "without a key needs the operator Exists"),
          flavor("tolerations: [{key: ''}]", "without a key needs the operator Exists"),
          flavor("tolerations: [{key: a, tolerationSeconds: 5}]", "needs the effect NoExecute"),
          flavor(
              "tolerations: [{key: a, operator: Gt}]", "supported values: \"Equal\", \"Exists\""),
          flavor("tolerations: [{key: a, operator: Exists, value: b}]", "takes no value"),
          flavor("tolerations: [{key: a, effect: Never}]", "supported values: \"NoSchedule\""),
          flavor("topologyName: a", "needs at least one of nodeLabels"),
          flavor("{nodeLabels: {a: b}, topologyName: A}", "spec.topologyName"));

  static final List<Case> QUEUES =
      List.of(
          queue("resourceGroups: [%s]".formatted(many(17, group("r%1$d", "f%1$d"))), "at most 16"),
          queue("resourceGroups: [{coveredResources: [], flavors: []}]", "at least 1 items"),
          queue(
              "resourceGroups: [{coveredResources: [%s], flavors: [{name: f, resources: [{name: a, nominalQuota: 1}]}]}]"
                  .formatted(many(65, "r%d")),
              "at most 64"),
          queue("resourceGroups: [{coveredResources: [a, a], flavors: []}]", "Duplicate value"),
          queue(
              "resourceGroups: [{coveredResources: [r], flavors: [%s]}]"
                  .formatted(many(65, "{name: f%d, resources: [{name: r, nominalQuota: 1}]}")),
              "at most 64"),
          queue(
              "resourceGroups: [{coveredResources: [r], flavors: [%1$s, %1$s]}]"
                  .formatted("{name: f, resources: [{name: r, nominalQuota: 1}]}"),
              "Duplicate value"),
          queue(
              "resourceGroups: [{coveredResources: [a, b], flavors: [{name: f, resources: [{name:"
                  + " a, nominalQuota: 1}]}]}]",
              "a quota for each of coveredResources"),
          quota("name: r", "nominalQuota: Required value"),
          quota("name: r, nominalQuota: -1", "greater than or equal to 0"),
          quota("name: r, nominalQuota: '-1'", "nominalQuota in body should match"),
          quota("name: r, nominalQuota: much", "nominalQuota in body should match"),
          quota("name: r, nominalQuota: 1, borrowingLimit: -1", "greater than or equal to 0"),
          quota(
              "name: r, nominalQuota: 1, lendingLimit: -1Gi", "lendingLimit in body should match"),
          queue(limited("borrowingLimit"), "borrowingLimit needs a cohortName"),
          queue(limited("lendingLimit"), "lendingLimit needs a cohortName"),
          queue("cohortName: A", "spec.cohortName"),
          queue("queueingStrategy: LIFO", "supported values: \"StrictFIFO\""),
          queue("flavorFungibility: {whenCanBorrow: Borrow}", "Unsupported value: \"Borrow\""),
          queue("flavorFungibility: {whenCanPreempt: Preempt}", "Unsupported value: \"Preempt\""),
          queue(
              "flavorFungibility: {preference: BorrowingOverPreemption}",
              "preference needs TryNextFlavor for both"),
          queue("preemption: {withinClusterQueue: Any}", "Unsupported value: \"Any\""),
          queue(
              "preemption: {borrowWithinCohort: {policy: LowerPriority}}",
              "needs a reclaimWithinCohort other than Never"),
          queue("admissionChecksStrategy: {admissionChecks: []}", "at least 1 items"),
          queue(
              "admissionChecksStrategy: {admissionChecks: [%s]}".formatted(many(65, "{name: a%d}")),
              "at most 64"),
          queue(
              "admissionChecksStrategy: {admissionChecks: [{name: %s}]}".formatted("a".repeat(317)),
              "may not be more than 316"),
          queue(
              "admissionChecksStrategy: {admissionChecks: [{name: a, onFlavors: [f, f]}]}",
              "Duplicate value"),
          queue("stopPolicy: Stop", "supported values: \"None\""),
          queue("fairSharing: {weight: -1}", "greater than or equal to 0"),
          queue("admissionScope: {}", "admissionMode: Required value"),
          queue("concurrentAdmissionPolicy: {migration: {}}", "mode: Required value"),
          queue(
              "concurrentAdmissionPolicy: {migration: {mode: RetainFirstAdmission, constraints:"
                  + " {lastAcceptableFlavorName: f}}}",
              "needs the mode TryPreferredFlavors"),
          new Case(
              "ClusterQueue",
              "{spec: {}, status: {conditions: [%s]}}"
                  .formatted(
                      many(
                          17,
                          "{type: T%d, status: 'True', reason: R, message: '', lastTransitionTime:"
                              + " '2026-01-02T03:04:05Z'}")),
              "at most 16"),
          new Case(
              "Cohort",
              "spec: {resourceGroups: [{coveredResources: [a, b], flavors: [{name: f, resources:"
                  + " [{name: a, nominalQuota: 1}]}]}]}",
              "a quota for each of coveredResources"),
          new Case("Cohort", "spec: {fairSharing: {weight: '-1'}}", "weight in body should match"),
          new Case("LocalQueue", "spec: {clusterQueue: a_b}", "clusterQueue in body should match"),
          new Case("LocalQueue", "spec: {stopPolicy: Stop}", "supported values: \"None\""),
          old(
              "ClusterQueue",
              "spec: {%s}".formatted(limited("borrowingLimit")),
              "borrowingLimit needs a cohort"),
          old(
              "ClusterQueue",
              "spec: {%s}".formatted(limited("lendingLimit")),
              "lendingLimit needs a cohort"),
          old(
              "ClusterQueue",
              "spec: {flavorFungibility: {whenCanBorrow: Borrow, preference:"
                  + " BorrowingOverPreemption}}",
              "preference needs TryNextFlavor for both"));

  KueueLimitsIT(RealKubernetes kubernetes) {
    super(kubernetes);
  }

  @ParameterizedTest
  @FieldSource({"FLAVORS", "QUEUES"})
  void isRefused(Case refused) {
    ApiObject object = object(refused.kind(), newName(), refused.yaml());

    assertRefused(servers, object, refused.complaint());
  }

  /** The first server says what is expected, and the others name the same fields. */
  static void assertRefused(List<KueueServer> servers, ApiObject object, String complaint) {
    ApiException first = refusal(servers.getFirst(), object);
    assertThat(first).hasMessageContaining(complaint);
    for (KueueServer server : servers) {
      ApiException said = refusal(server, object);

      assertThat(said.failure().reason()).as("%s", server).isEqualTo(Reason.INVALID);
      assertThat(fields(said)).as("%s: %s", server, said.getMessage()).containsAll(fields(first));
    }
  }

  private static ApiException refusal(KueueServer server, ApiObject object) {
    ApiException said = catchThrowableOfType(ApiException.class, () -> server.write(object));
    assertThat(said).as("%s", server).isNotNull();
    return said;
  }

  /** The real server does not say where a number is too large for its format. */
  private static Set<String> fields(ApiException said) {
    return said.failure().causes().stream()
        .map(ApiFailure.Cause::field)
        .filter(field -> !field.equals("<nil>"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** An object of a kind in v1beta2, or of one such as {@code v1beta1/Workload}. */
  static ApiObject object(String kind, String name, String yaml) {
    int slash = kind.indexOf('/');
    String version = slash < 0 ? "v1beta2" : kind.substring(0, slash);
    return ApiObject.of(Yaml.parseAll(yaml).getFirst())
        .with(List.of("apiVersion"), "kueue.x-k8s.io/" + version)
        .with(List.of("kind"), kind.substring(slash + 1))
        .with(List.of("metadata"), Tree.of("name", name, "namespace", "default"));
  }

  /** So many elements of a list; a {@code %d} in them becomes their number. */
  static String many(int count, String pattern) {
    return IntStream.range(0, count)
        .mapToObj(number -> pattern.formatted(number))
        .collect(Collectors.joining(", "));
  }

  static Case old(String kind, String yaml, String complaint) {
    return new Case("v1beta1/" + kind, yaml, complaint);
  }

  private static Case flavor(String spec, String complaint) {
    return new Case("ResourceFlavor", "spec: " + braced(spec), complaint);
  }

  private static Case queue(String spec, String complaint) {
    return new Case("ClusterQueue", "spec: " + braced(spec), complaint);
  }

  private static String braced(String fields) {
    return fields.startsWith("{") ? fields : "{" + fields + "}";
  }

  private static Case quota(String resource, String complaint) {
    return queue(
        "cohortName: c, resourceGroups: [{coveredResources: [r], flavors: [{name: f, resources: [{%s}]}]}]"
            .formatted(resource),
        complaint);
  }

  private static String group(String resource, String flavor) {
    return "{coveredResources: [%1$s], flavors: [{name: %2$s, resources: [{name: %1$s, nominalQuota: 1}]}]}"
        .formatted(resource, flavor);
  }

  private static String limited(String limit) {
    return "resourceGroups: [{coveredResources: [r], flavors: [{name: f, resources: [{name: r, nominalQuota: 1, %s: 1}]}]}]"
        .formatted(limit);
  }
}
