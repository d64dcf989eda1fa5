package dev.sluice.model.kueue;

/** Kueue's labels, annotations, scheduling gates and finalizers. */
public final class KueueNames {
  private static final String PREFIX = "kueue.x-k8s.io/";

  /** Framework name of pods, alone and in groups, in the manager's configuration. */
  public static final String POD_FRAMEWORK = "pod";

  /** Label of a job: its LocalQueue. */
  public static final String QUEUE_NAME = PREFIX + "queue-name";

  /** Label of a job: its WorkloadPriorityClass. */
  public static final String PRIORITY_CLASS = PREFIX + "priority-class";

  /** Label or annotation of a job: its prebuilt Workload. */
  public static final String PREBUILT_WORKLOAD = PREFIX + "prebuilt-workload-name";

  /** Label of a job: its maximum execution time. */
  public static final String MAX_EXEC_TIME = PREFIX + "max-exec-time-seconds";

  /** Label of a Workload: the uid of its job. */
  public static final String JOB_UID = PREFIX + "job-uid";

  /** Label of pods that Kueue manages. */
  public static final String MANAGED = PREFIX + "managed";

  /** Label of an admitted job's pods: the pod set they belong to. */
  public static final String POD_SET = PREFIX + "podset";

  /** Label of an admitted job's pods: their LocalQueue. */
  public static final String LOCAL_QUEUE = PREFIX + "local-queue-name";

  /** Label of an admitted job's pods: their ClusterQueue. */
  public static final String CLUSTER_QUEUE = PREFIX + "cluster-queue-name";

  /** Label or annotation of a pod: the group it belongs to. */
  public static final String POD_GROUP = PREFIX + "pod-group-name";

  /** Annotation of a pod: how many pods its group has. */
  public static final String POD_GROUP_TOTAL = PREFIX + "pod-group-total-count";

  /** Annotation of a pod: its group is admitted before all its pods are there. */
  public static final String POD_GROUP_FAST_ADMISSION = PREFIX + "pod-group-fast-admission";

  /** Annotation of a pod: its group is a serving workload, which never finishes. */
  public static final String POD_GROUP_SERVING = PREFIX + "pod-group-serving";

  /** Annotation of a pod: the hash of its role in the group, which is the name of its pod set. */
  public static final String ROLE_HASH = PREFIX + "role-hash";

  /** Annotation of a pod: {@code false} if its group is not retried after a failure. */
  public static final String RETRIABLE_IN_GROUP = PREFIX + "retriable-in-group";

  /** Annotation of the Workload of a pod group. */
  public static final String IS_GROUP_WORKLOAD = PREFIX + "is-group-workload";

  /** Annotation of a pod: the kind of the parent for which the pod is suspended. */
  public static final String POD_SUSPENDING_PARENT = PREFIX + "pod-suspending-parent";

  /** Annotation of a Job: the minimum parallelism for partial admission. */
  public static final String JOB_MIN_PARALLELISM = PREFIX + "job-min-parallelism";

  /** Annotation of a Job: completions are kept equal to parallelism. */
  public static final String JOB_COMPLETIONS_EQUAL_PARALLELISM =
      PREFIX + "job-completions-equal-parallelism";

  /** Annotation of a Job that is being stopped. */
  public static final String STOPPING = PREFIX + "stopping";

  /** Annotation of a job whose size may change while it runs. */
  public static final String ELASTIC_JOB = PREFIX + "elastic-job";

  /** Annotation of Workloads and pods of an elastic job: the first slice of their chain. */
  public static final String SLICE_NAME = PREFIX + "workload-slice-name";

  /** Annotation of a Workload: the slice that it replaces, as {@code namespace/name}. */
  public static final String SLICE_REPLACEMENT_FOR = PREFIX + "workload-slice-replacement-for";

  /**
   * Annotation of a Workload slice that was scaled down: the number of pods that {@code
   * reclaimablePods} still refers to.
   */
  public static final String RECLAIMABLE_OF = "sluice.dev/reclaimable-of";

  /** Annotation of jobs and Workloads: the gates that must be removed before they are queued. */
  public static final String ADMISSION_GATED_BY = PREFIX + "admission-gated-by";

  /** Annotation of a Workload: the boost of its priority. */
  public static final String PRIORITY_BOOST = PREFIX + "priority-boost";

  /** Label of a Workload that is queued as one variant for each flavor, not by itself. */
  public static final String CONCURRENT_ADMISSION_PARENT = PREFIX + "concurrent-admission-parent";

  /** Annotation of a variant: its allowed flavor. */
  public static final String ALLOWED_FLAVORS = PREFIX + "workload-allowed-resource-flavors";

  /** Preemption gate of a variant. */
  public static final String CONCURRENT_ADMISSION_GATE = PREFIX + "concurrent-admission";

  /** Annotation of pods: the topology level whose domain all of them must share. */
  public static final String REQUIRED_TOPOLOGY = PREFIX + "podset-required-topology";

  /** Annotation of pods: the topology level whose domain each slice of them must share. */
  public static final String SLICE_REQUIRED_TOPOLOGY = PREFIX + "podset-slice-required-topology";

  /** Annotation of pods: the topology levels of nested slices. */
  public static final String SLICE_TOPOLOGY_CONSTRAINTS =
      PREFIX + "podset-slice-required-topology-constraints";

  /**
   * Annotation of a pod: {@code true} if it may be deleted forcefully though its node never reports
   * its end.
   */
  public static final String SAFE_TO_FORCEFULLY_DELETE = PREFIX + "safe-to-forcefully-delete";

  /** Scheduling gate of pods that are not admitted. */
  public static final String ADMISSION_GATE = PREFIX + "admission";

  /** Scheduling gate of pods of an elastic job that are not admitted. */
  public static final String ELASTIC_JOB_GATE = PREFIX + "elastic-job";

  /** Finalizer of pods that Kueue manages. */
  public static final String MANAGED_FINALIZER = PREFIX + "managed";

  /** Finalizer of objects that must not be removed while they are used. */
  public static final String IN_USE = PREFIX + "resource-in-use";

  private KueueNames() {}
}
