package dev.sluice.conformance.kueue;

import static dev.sluice.conformance.kueue.KueueLimitsIT.assertRefused;
import static dev.sluice.conformance.kueue.KueueLimitsIT.many;
import static dev.sluice.conformance.kueue.KueueLimitsIT.object;
import static dev.sluice.conformance.kueue.KueueLimitsIT.old;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.conformance.kueue.KueueLimitsIT.Case;
import dev.sluice.model.ApiObject;
import java.util.List;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What API servers, a real one and ours, refuse of the small kinds. */
@RequiresKubernetes
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KueueSmallKindsIT extends KueueRules {
  static final List<Case> SMALL_KINDS =
      List.of(
          new Case("WorkloadPriorityClass", "{}", "value: Required value"),
          new Case("WorkloadPriorityClass", "value: 3000000000", "value"),
          new Case(
              "WorkloadPriorityClass",
              "{value: 1, description: %s}".formatted("a".repeat(2049)),
              "may not be more than 2048"),
          new Case("AdmissionCheck", "spec: {}", "controllerName: Required value"),
          new Case("AdmissionCheck", "spec: {controllerName: ''}", "at least 1 chars"),
          new Case(
              "AdmissionCheck",
              "spec: {controllerName: a, parameters: {apiGroup: a, kind: B, name: %s}}"
                  .formatted("a".repeat(64)),
              "may not be more than 63"),
          new Case(
              "AdmissionCheck",
              "spec: {controllerName: a, parameters: {kind: B, name: c}}",
              "apiGroup: Required value"),
          new Case("Topology", "spec: {levels: []}", "at least 1 items"),
          new Case(
              "Topology",
              "spec: {levels: [%s]}".formatted(many(17, "{nodeLabel: a%d}")),
              "at most 16"),
          new Case(
              "Topology", "spec: {levels: [{nodeLabel: a/b/c}]}", "nodeLabel in body should match"),
          new Case(
              "Topology",
              "spec: {levels: [{nodeLabel: a}, {nodeLabel: a}]}",
              "can stand for one level only"),
          new Case(
              "Topology",
              "spec: {levels: [{nodeLabel: kubernetes.io/hostname}, {nodeLabel: a}]}",
              "can only be the last level"),
          new Case(
              "ProvisioningRequestConfig", "spec: {}", "provisioningClassName: Required value"),
          new Case(
              "ProvisioningRequestConfig",
              "spec: {provisioningClassName: a, parameters: {a: %s}}".formatted("a".repeat(256)),
              "may not be more than 255"),
          new Case(
              "ProvisioningRequestConfig",
              "spec: {provisioningClassName: a, parameters: {%s}}".formatted(many(101, "a%d: b")),
              "at most 100"),
          new Case(
              "ProvisioningRequestConfig",
              "spec: {provisioningClassName: a, managedResources: [cpu, cpu]}",
              "Duplicate value"),
          new Case(
              "ProvisioningRequestConfig",
              "spec: {provisioningClassName: a, podSetUpdates: {nodeSelector: [%s]}}"
                  .formatted(many(9, "{key: a%d, valueFromProvisioningClassDetail: b}")),
              "at most 8"),
          new Case(
              "ProvisioningRequestConfig",
              "spec: {provisioningClassName: a, podSetMergePolicy: All}",
              "supported values: \"IdenticalPodTemplates\""),
          new Case("MultiKueueConfig", "spec: {clusters: []}", "at least 1 items"),
          new Case(
              "MultiKueueConfig",
              "spec: {clusters: [%s]}".formatted(many(21, "a%d")),
              "at most 20"),
          new Case("MultiKueueConfig", "spec: {clusters: [a, a]}", "can be named only once"),
          new Case(
              "MultiKueueConfig",
              "spec: {clusters: [a], quotaManagement: Auto}",
              "supported values: \"Manual\""),
          old("MultiKueueConfig", "spec: {clusters: [a, a]}", "Duplicate value"),
          new Case(
              "MultiKueueCluster", "spec: {clusterSource: {}}", "exactly one of kubeConfig and"),
          new Case(
              "MultiKueueCluster",
              "spec: {clusterSource: {kubeConfig: {location: a}, clusterProfileRef: {name: b}}}",
              "exactly one of kubeConfig and"),
          new Case(
              "MultiKueueCluster",
              "spec: {clusterSource: {kubeConfig: {location: ''}}}",
              "at least 1 chars"),
          new Case(
              "MultiKueueCluster",
              "spec: {clusterSource: {kubeConfig: {location: a, locationType: Url}}}",
              "supported values: \"Secret\""),
          old("MultiKueueCluster", "spec: {}", "kubeConfig: Required value"));

  KueueSmallKindsIT(RealKubernetes kubernetes) {
    super(kubernetes);
  }

  @ParameterizedTest
  @FieldSource("SMALL_KINDS")
  void isRefused(Case refused) {
    ApiObject object = object(refused.kind(), newName(), refused.yaml());

    assertRefused(servers, object, refused.complaint());
  }
}
