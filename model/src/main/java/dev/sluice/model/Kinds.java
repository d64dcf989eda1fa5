package dev.sluice.model;

/** The kinds that Sluice computes on, each in the version it uses. */
public final class Kinds {
  public static final ResourceKind NAMESPACE = cluster("", "v1", "Namespace", "namespaces");
  public static final ResourceKind NODE = cluster("", "v1", "Node", "nodes");
  public static final ResourceKind POD = namespaced("", "v1", "Pod", "pods");
  public static final ResourceKind EVENT = namespaced("", "v1", "Event", "events");

  /** The same events as {@link #EVENT}, with other names for some fields. */
  public static final ResourceKind GROUPED_EVENT =
      namespaced("events.k8s.io", "v1", "Event", "events");

  public static final ResourceKind CONFIG_MAP = namespaced("", "v1", "ConfigMap", "configmaps");
  public static final ResourceKind SECRET = namespaced("", "v1", "Secret", "secrets");
  public static final ResourceKind SERVICE_ACCOUNT =
      namespaced("", "v1", "ServiceAccount", "serviceaccounts");
  public static final ResourceKind BINDING = namespaced("", "v1", "Binding", "bindings");
  public static final ResourceKind JOB = namespaced("batch", "v1", "Job", "jobs");
  public static final ResourceKind CRON_JOB = namespaced("batch", "v1", "CronJob", "cronjobs");
  public static final ResourceKind LEASE =
      namespaced("coordination.k8s.io", "v1", "Lease", "leases");
  public static final ResourceKind PRIORITY_CLASS =
      cluster("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses");
  public static final ResourceKind LIMIT_RANGE = namespaced("", "v1", "LimitRange", "limitranges");
  public static final ResourceKind RESOURCE_QUOTA =
      namespaced("", "v1", "ResourceQuota", "resourcequotas");
  public static final ResourceKind RUNTIME_CLASS =
      cluster("node.k8s.io", "v1", "RuntimeClass", "runtimeclasses");
  public static final ResourceKind POD_DISRUPTION_BUDGET =
      namespaced("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets");
  public static final ResourceKind PERSISTENT_VOLUME =
      cluster("", "v1", "PersistentVolume", "persistentvolumes");
  public static final ResourceKind PERSISTENT_VOLUME_CLAIM =
      namespaced("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims");
  public static final ResourceKind STORAGE_CLASS =
      cluster("storage.k8s.io", "v1", "StorageClass", "storageclasses");
  public static final ResourceKind CSI_NODE =
      cluster("storage.k8s.io", "v1", "CSINode", "csinodes");
  public static final ResourceKind CSI_DRIVER =
      cluster("storage.k8s.io", "v1", "CSIDriver", "csidrivers");
  public static final ResourceKind CSI_STORAGE_CAPACITY =
      namespaced("storage.k8s.io", "v1", "CSIStorageCapacity", "csistoragecapacities");
  public static final ResourceKind VOLUME_ATTACHMENT =
      cluster("storage.k8s.io", "v1", "VolumeAttachment", "volumeattachments");
  public static final ResourceKind SERVICE = namespaced("", "v1", "Service", "services");
  public static final ResourceKind REPLICATION_CONTROLLER =
      namespaced("", "v1", "ReplicationController", "replicationcontrollers");
  public static final ResourceKind REPLICA_SET =
      namespaced("apps", "v1", "ReplicaSet", "replicasets");
  public static final ResourceKind STATEFUL_SET =
      namespaced("apps", "v1", "StatefulSet", "statefulsets");
  public static final ResourceKind EVICTION = namespaced("policy", "v1", "Eviction", "evictions");

  /** The body of the subresource {@code scale}. */
  public static final ResourceKind SCALE =
      namespaced("autoscaling", "v1", "Scale", "horizontalpodautoscalers");

  public static final ResourceKind CUSTOM_RESOURCE_DEFINITION =
      cluster(
          "apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions");

  private static final String KUEUE = "kueue.x-k8s.io";
  public static final ResourceKind RESOURCE_FLAVOR =
      cluster(KUEUE, "v1beta2", "ResourceFlavor", "resourceflavors");
  public static final ResourceKind CLUSTER_QUEUE =
      cluster(KUEUE, "v1beta2", "ClusterQueue", "clusterqueues");
  public static final ResourceKind LOCAL_QUEUE =
      namespaced(KUEUE, "v1beta2", "LocalQueue", "localqueues");
  public static final ResourceKind WORKLOAD = namespaced(KUEUE, "v1beta2", "Workload", "workloads");
  public static final ResourceKind COHORT = cluster(KUEUE, "v1beta2", "Cohort", "cohorts");
  public static final ResourceKind ADMISSION_CHECK =
      cluster(KUEUE, "v1beta2", "AdmissionCheck", "admissionchecks");
  public static final ResourceKind WORKLOAD_PRIORITY_CLASS =
      cluster(KUEUE, "v1beta2", "WorkloadPriorityClass", "workloadpriorityclasses");
  public static final ResourceKind TOPOLOGY = cluster(KUEUE, "v1beta2", "Topology", "topologies");
  public static final ResourceKind PROVISIONING_REQUEST_CONFIG =
      cluster(KUEUE, "v1beta2", "ProvisioningRequestConfig", "provisioningrequestconfigs");
  public static final ResourceKind MULTI_KUEUE_CONFIG =
      cluster(KUEUE, "v1beta2", "MultiKueueConfig", "multikueueconfigs");
  public static final ResourceKind MULTI_KUEUE_CLUSTER =
      cluster(KUEUE, "v1beta2", "MultiKueueCluster", "multikueueclusters");

  public static final ResourceKind JOB_SET =
      namespaced("jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets");

  /** KWOK's kind for a step in the life of simulated objects. */
  public static final ResourceKind STAGE = cluster("kwok.x-k8s.io", "v1alpha1", "Stage", "stages");

  /** KWOK's kind for the usage of the containers of one simulated pod. */
  public static final ResourceKind RESOURCE_USAGE =
      namespaced("kwok.x-k8s.io", "v1alpha1", "ResourceUsage", "resourceusages");

  /** KWOK's kind for the usage of the containers of many simulated pods. */
  public static final ResourceKind CLUSTER_RESOURCE_USAGE =
      cluster("kwok.x-k8s.io", "v1alpha1", "ClusterResourceUsage", "clusterresourceusages");

  /** KWOK's kind for the metrics of simulated nodes, and their paths. */
  public static final ResourceKind METRIC =
      cluster("kwok.x-k8s.io", "v1alpha1", "Metric", "metrics");

  private Kinds() {}

  private static ResourceKind cluster(String group, String version, String kind, String plural) {
    return new ResourceKind(group, version, kind, plural, false);
  }

  private static ResourceKind namespaced(String group, String version, String kind, String plural) {
    return new ResourceKind(group, version, kind, plural, true);
  }
}
