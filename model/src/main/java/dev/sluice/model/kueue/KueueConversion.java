package dev.sluice.model.kueue;

import static dev.sluice.model.kueue.Fields.renamed;
import static dev.sluice.model.kueue.Fields.within;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The conversion of Kueue's objects between v1beta2, in which they are stored, and v1beta1. Both
 * have the same content under different names, except for a few fields that only one version has:
 * those are lost. Fields with the same name in both are kept as they are.
 */
public final class KueueConversion {
  public static final String V1BETA1 = "kueue.x-k8s.io/v1beta1";
  public static final String V1BETA2 = "kueue.x-k8s.io/v1beta2";

  private static final SortedSet<String> CONVERTED =
      Collections.unmodifiableSortedSet(
          Stream.of(
                  Kinds.LOCAL_QUEUE,
                  Kinds.CLUSTER_QUEUE,
                  Kinds.COHORT,
                  Kinds.WORKLOAD,
                  Kinds.MULTI_KUEUE_CLUSTER)
              .map(ResourceKind::plural)
              .collect(Collectors.toCollection(TreeSet::new)));

  private KueueConversion() {}

  /** The plural names of the kinds whose versions differ in more than {@code apiVersion}. */
  static SortedSet<String> converted() {
    return CONVERTED;
  }

  /**
   * The object in another version.
   *
   * @throws IllegalArgumentException if either version is not one of Kueue's
   */
  public static ApiObject convert(ApiObject object, String toApiVersion) {
    requireKnown(object, object.apiVersion());
    requireKnown(object, toApiVersion);
    if (object.apiVersion().equals(toApiVersion)) {
      return object;
    }
    Tree converted =
        toApiVersion.equals(V1BETA2)
            ? toV1beta2(object.kind(), object.tree())
            : toV1beta1(object.kind(), object.tree());
    return new ApiObject(converted.with("apiVersion", toApiVersion));
  }

  private static void requireKnown(ApiObject object, String apiVersion) {
    if (!apiVersion.equals(V1BETA1) && !apiVersion.equals(V1BETA2)) {
      throw new IllegalArgumentException(
          "cannot convert %s %s: \"%s\" is neither %s nor %s"
              .formatted(object.kind(), object.path(), apiVersion, V1BETA1, V1BETA2));
    }
  }

  private static Tree toV1beta2(String kind, Tree object) {
    return switch (kind) {
      case "LocalQueue" ->
          within(
              object,
              "status",
              status -> renamed(status.without("flavors"), "flavorUsage", "flavorsUsage"));
      case "ClusterQueue" -> ClusterQueueVersions.toV1beta2(object);
      case "Cohort" -> within(object, "status", KueueConversion::withoutAdmissionFairSharing);
      case "Workload" -> WorkloadVersions.toV1beta2(object);
      case "AdmissionCheck" -> object.without(List.of("spec", "retryDelayMinutes"));
      case "MultiKueueCluster" ->
          within(
              object,
              "spec",
              spec ->
                  spec.at("kubeConfig") instanceof Tree kubeConfig
                      ? spec.without("kubeConfig")
                          .with("clusterSource", Tree.of("kubeConfig", kubeConfig))
                      : spec);
      default -> object;
    };
  }

  private static Tree toV1beta1(String kind, Tree object) {
    return switch (kind) {
      case "LocalQueue" ->
          within(object, "status", status -> renamed(status, "flavorsUsage", "flavorUsage"));
      case "ClusterQueue" -> ClusterQueueVersions.toV1beta1(object);
      case "Workload" -> WorkloadVersions.toV1beta1(object);
      case "MultiKueueConfig" -> object.without(List.of("spec", "quotaManagement"));
      case "MultiKueueCluster" ->
          within(
              object,
              "spec",
              spec ->
                  spec.at("clusterSource", "kubeConfig") instanceof Tree kubeConfig
                      ? spec.without("clusterSource").with("kubeConfig", kubeConfig)
                      : spec.without("clusterSource"));
      default -> object;
    };
  }

  /**
   * Drops a field that only LocalQueues use: v1beta1 has one type of fair sharing status for all
   * kinds.
   */
  static Tree withoutAdmissionFairSharing(Tree status) {
    return status.without(List.of("fairSharing", "admissionFairSharingStatus"));
  }
}
