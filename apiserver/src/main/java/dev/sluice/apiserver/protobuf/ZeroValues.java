package dev.sluice.apiserver.protobuf;

import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells which zeros on the wire mean that a field is absent.
 *
 * <p>Go clients write every field that is not a pointer, also when it is zero; JSON leaves such
 * zeros out. A pointer is written only if it is set, so its zero counts: a Job with a parallelism
 * of 0 is not one without a parallelism. The messages do not say which fields are pointers, so it
 * is stated here, from both sides:
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
              // An empty class asks for no dynamic provisioning; an absent one for the default
              // class.
              "PersistentVolumeClaimSpec.storageClassName",
              "PersistentVolumeClaimSpec.volumeAttributesClassName"));

  /** The same in every message that has them, but for {@link #POINTERS}. */
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

  /** Every field the tables here name with its message. */
  static Set<String> fields() {
    var fields = new TreeSet<>(OMITTED);
    fields.addAll(POINTERS);
    fields.addAll(MEANINGFUL_EMPTY_STRINGS);
    return fields;
  }

  /** Whether an empty string, 0, false or no bytes in a field that stands alone says nothing. */
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
