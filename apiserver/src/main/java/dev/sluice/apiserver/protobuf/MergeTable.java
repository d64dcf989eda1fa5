package dev.sluice.apiserver.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.sluice.model.tree.Tree;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How the lists and maps of the built-in kinds merge: the one table behind strategic merge patches,
 * server-side apply and the published OpenAPI. A list that is not in it is atomic.
 */
final class MergeTable {
  /** Field, strategic merge patch as strategy[:key], server-side apply as type[:keys]. */
  private static final String FIELDS =
      """
      ObjectMeta.ownerReferences              merge:uid             map:uid
      ObjectMeta.finalizers                   merge                 set
      ObjectMeta.managedFields                -                     atomic
      PodSpec.containers                      merge:name            map:name
      PodSpec.initContainers                  merge:name            map:name
      PodSpec.ephemeralContainers             merge:name            map:name
      PodSpec.volumes                         merge,retainKeys:name map:name
      PodSpec.imagePullSecrets                merge:name            map:name
      PodSpec.hostAliases                     merge:ip              map:ip
      PodSpec.schedulingGates                 merge:name            map:name
      PodSpec.resourceClaims                  merge,retainKeys:name map:name
      PodSpec.topologySpreadConstraints       merge:topologyKey    map:topologyKey,whenUnsatisfiable
      PodSpec.nodeSelector                    -                     atomic
      Container.env                           merge:name            map:name
      Container.ports                         merge:containerPort   map:containerPort,protocol
      Container.volumeMounts                  merge:mountPath       map:mountPath
      Container.volumeDevices                 merge:devicePath      map:devicePath
      EphemeralContainerCommon.env            merge:name            map:name
      EphemeralContainerCommon.ports          merge:containerPort   map:containerPort,protocol
      EphemeralContainerCommon.volumeMounts   merge:mountPath       map:mountPath
      EphemeralContainerCommon.volumeDevices  merge:devicePath      map:devicePath
      ResourceRequirements.claims             -                     map:name
      PodStatus.conditions                    merge:type            map:type
      PodStatus.podIPs                        merge:ip              map:ip
      PodStatus.hostIPs                       merge:ip              atomic
      PodStatus.resourceClaimStatuses         merge,retainKeys:name map:name
      ContainerStatus.volumeMounts            merge:mountPath       map:mountPath
      ContainerStatus.allocatedResourcesStatus merge:name           map:name
      JobStatus.conditions                    merge:type            atomic
      UncountedTerminatedPods.succeeded       -                     set
      UncountedTerminatedPods.failed          -                     set
      PodFailurePolicyOnExitCodesRequirement.values -               set
      ContainerRestartRuleOnExitCodes.values  -                     set
      DeploymentSpec.strategy                 retainKeys            -
      DeploymentStatus.conditions             merge:type            map:type
      ReplicaSetStatus.conditions             merge:type            map:type
      StatefulSetStatus.conditions            merge:type            map:type
      DaemonSetStatus.conditions              merge:type            map:type
      ReplicationControllerStatus.conditions  merge:type            map:type
      ReplicationControllerSpec.selector      -                     atomic
      HorizontalPodAutoscalerStatus.conditions merge:type           map:type
      PodDisruptionBudgetStatus.conditions    merge:type            map:type
      PodDisruptionBudgetSpec.selector        replace               -
      NamespaceStatus.conditions              merge:type            map:type
      NodeStatus.conditions                   merge:type            map:type
      NodeStatus.addresses                    merge:type            map:type
      NodeSpec.podCIDRs                       merge                 set
      ServiceStatus.conditions                merge:type            map:type
      ServiceSpec.ports                       merge:port            map:port,protocol
      ServiceSpec.selector                    -                     atomic
      ServiceAccount.secrets                  merge:name            map:name
      PersistentVolumeClaimStatus.conditions  merge:type            map:type
      FlowSchemaStatus.conditions             merge:type            map:type
      PriorityLevelConfigurationStatus.conditions merge:type        map:type
      ServiceCIDRStatus.conditions            merge:type            map:type
      CustomResourceDefinitionStatus.conditions -                   map:type
      CertificateSigningRequestStatus.conditions -                  map:type
      ValidatingAdmissionPolicyStatus.conditions -                  map:type
      AllocatedDeviceStatus.conditions        -                     map:type
      MutatingWebhookConfiguration.webhooks   merge:name            map:name
      ValidatingWebhookConfiguration.webhooks merge:name            map:name
      MutatingWebhook.matchConditions         merge:name            map:name
      ValidatingWebhook.matchConditions       merge:name            map:name
      ValidatingAdmissionPolicySpec.matchConditions merge:name      map:name
      ValidatingAdmissionPolicySpec.variables merge:name            map:name
      MutatingAdmissionPolicySpec.matchConditions merge:name        map:name
      MutatingAdmissionPolicySpec.variables   merge:name            map:name
      ValidatingAdmissionPolicyBindingSpec.validationActions -      set
      ResourceClaimStatus.reservedFor         merge:uid             map:uid
      ResourceClaimStatus.devices             -                     map:driver,device,pool,shareID
      CSINodeSpec.drivers                     merge:name            map:name
      CSIDriverSpec.volumeLifecycleModes      -                     set
      Endpoint.addresses                      -                     set
      """;

  /** Messages that are atomic for server-side apply. */
  private static final Set<String> ATOMIC =
      new TreeSet<>(
          Set.of(
              "ConfigMapKeySelector",
              "CrossVersionObjectReference",
              "EndpointAddress",
              "FileKeySelector",
              "LabelSelector",
              "LocalObjectReference",
              "NodeSelector",
              "NodeSelectorTerm",
              "ObjectFieldSelector",
              "ObjectReference",
              "OwnerReference",
              "ResourceFieldSelector",
              "RoleRef",
              "ScopeSelector",
              "SecretKeySelector",
              "SecretReference",
              "TopologySelectorTerm",
              "TypedLocalObjectReference",
              "k8s.io.api.core.v1.EndpointPort",
              "k8s.io.api.discovery.v1.EndpointPort",
              "k8s.io.api.rbac.v1.Subject"));

  /** Keys of lists that may be missing, because they have a default. */
  private static final Set<String> PROTOCOLS =
      Set.of("ContainerPort.protocol", "ServicePort.protocol");

  private static final SortedMap<String, Tree> KEYWORDS = parse();

  private MergeTable() {}

  /** The schema keywords of a field in addition to those of its type. */
  static Tree keywords(FieldDescriptor field) {
    String key = field.getContainingType().getName() + "." + JsonShape.name(field);
    return PROTOCOLS.contains(key)
        ? Tree.of("default", "TCP")
        : KEYWORDS.getOrDefault(key, Tree.EMPTY);
  }

  /** The schema keywords of a message wherever it is used. */
  static Tree keywords(Descriptor message) {
    return ATOMIC.contains(message.getName()) || ATOMIC.contains(message.getFullName())
        ? Tree.of("x-kubernetes-map-type", "atomic")
        : Tree.EMPTY;
  }

  /** Every field that the table names. */
  static Set<String> fields() {
    return KEYWORDS.keySet();
  }

  private static SortedMap<String, Tree> parse() {
    var table = new TreeMap<String, Tree>();
    FIELDS
        .lines()
        .map(line -> line.split(" +", -1))
        .forEach(row -> table.put(row[0], keywords(row[1], row[2])));
    return table;
  }

  private static Tree keywords(String patch, String apply) {
    Tree keywords = Tree.EMPTY;
    String[] strategy = patch.split(":", 2);
    if (!patch.equals("-")) {
      keywords = keywords.with("x-kubernetes-patch-strategy", strategy[0]);
    }
    if (strategy.length == 2) {
      keywords = keywords.with("x-kubernetes-patch-merge-key", strategy[1]);
    }
    String[] type = apply.split(":", 2);
    if (!apply.equals("-")) {
      keywords = keywords.with("x-kubernetes-list-type", type[0]);
    }
    return type.length == 2
        ? keywords.with(
            "x-kubernetes-list-map-keys", List.copyOf(Arrays.asList(type[1].split(",", -1))))
        : keywords;
  }
}
