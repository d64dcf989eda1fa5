package dev.sluice.apiserver.protobuf;

import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Set;
import java.util.TreeSet;

/**
 * The zero values on the wire that mean an absent field.
 *
 * <p>Go clients write every field that is not a pointer, even if it is zero; JSON omits such zeros.
 * A pointer is written only if it is set, so its zero counts: a Job with a parallelism of 0 is not
 * one without a parallelism. The messages do not show which fields are pointers, so two tables here
 * do:
 *
 * <ul>
 *   <li>An empty string is absent, except in the fields where Kubernetes gives it a meaning.
 *   <li>A 0 or false is kept, except in the fields that are no pointers and that JSON omits. Kept
 *       in a probe, for instance, a period of 0 would not be defaulted to 10 seconds.
 * </ul>
 */
final class ZeroValues {
  private static final Set<String> MEANINGFUL_EMPTY_STRINGS =
      new TreeSet<>(
          Set.of(
              // An empty class means no dynamic provisioning; an absent one means the default
              // class.
              "PersistentVolumeClaimSpec.storageClassName",
              "PersistentVolumeClaimSpec.volumeAttributesClassName"));

  /** Fields that are omitted in every message that has them, except for {@link #POINTERS}. */
  private static final Set<String> OMITTED_FIELDS =
      new TreeSet<>(
          Set.of(
              "chapAuthDiscovery",
              "chapAuthSession",
              "clusterScope",
              "denied",
              "deprecated",
              "deprecatedCount",
              "exclusiveMaximum",
              "exclusiveMinimum",
              "globalDefault",
              "healthCheckNodePort",
              "hostIPC",
              "hostNetwork",
              "hostPID",
              "hostPort",
              "minReadySeconds",
              "nodePort",
              "nullable",
              "observedGeneration",
              "paused",
              "preserveUnknownFields",
              "publishNotReadyAddresses",
              "readOnly",
              "retryAfterSeconds",
              "signal",
              "sizeBytes",
              "sslEnabled",
              "stdin",
              "stdinOnce",
              "tty",
              "uniqueItems",
              "unschedulable",
              "xKubernetesEmbeddedResource",
              "xKubernetesIntOrString"));

  private static final Set<String> POINTERS = Set.of("AzureDiskVolumeSource.readOnly");

  private static final Set<String> OMITTED =
      new TreeSet<>(
          Set.of(
              "AWSElasticBlockStoreVolumeSource.partition",
              "CustomResourceColumnDefinition.priority",
              "DaemonSetStatus.numberAvailable",
              "DaemonSetStatus.numberUnavailable",
              "DaemonSetStatus.updatedNumberScheduled",
              "DeploymentStatus.availableReplicas",
              "DeploymentStatus.readyReplicas",
              "DeploymentStatus.replicas",
              "DeploymentStatus.unavailableReplicas",
              "DeploymentStatus.updatedReplicas",
              "DeviceSubRequest.count",
              "Event.count",
              "ExactDeviceRequest.count",
              "GCEPersistentDiskVolumeSource.partition",
              "JobStatus.active",
              "JobStatus.failed",
              "JobStatus.succeeded",
              "ObjectMeta.generation",
              "Probe.failureThreshold",
              "Probe.initialDelaySeconds",
              "Probe.periodSeconds",
              "Probe.successThreshold",
              "Probe.timeoutSeconds",
              "ReplicaSetStatus.availableReplicas",
              "ReplicaSetStatus.fullyLabeledReplicas",
              "ReplicaSetStatus.readyReplicas",
              "ReplicationControllerStatus.availableReplicas",
              "ReplicationControllerStatus.fullyLabeledReplicas",
              "ReplicationControllerStatus.readyReplicas",
              "ServiceBackendPort.number",
              "StatefulSetStatus.currentReplicas",
              "StatefulSetStatus.readyReplicas",
              "StatefulSetStatus.updatedReplicas",
              "Status.code",
              "TokenReviewStatus.authenticated"));

  private ZeroValues() {}

  /** Every field that the tables name with its message. */
  static Set<String> fields() {
    var fields = new TreeSet<>(OMITTED);
    fields.addAll(POINTERS);
    fields.addAll(MEANINGFUL_EMPTY_STRINGS);
    return fields;
  }

  /** Whether an empty string, 0, false or no bytes in a singular field means that it is absent. */
  static boolean meansAbsent(FieldDescriptor field) {
    String key = JsonShape.key(field);
    return switch (field.getJavaType()) {
      case STRING -> !MEANINGFUL_EMPTY_STRINGS.contains(key);
      case BYTE_STRING -> true;
      case INT, LONG, BOOLEAN ->
          OMITTED.contains(key)
              || (OMITTED_FIELDS.contains(field.getName()) && !POINTERS.contains(key));
      case FLOAT, DOUBLE, ENUM, MESSAGE -> false;
    };
  }
}
