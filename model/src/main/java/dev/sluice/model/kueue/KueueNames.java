package dev.sluice.model.kueue;

/** Kueue's labels and finalizers. */
public final class KueueNames {
  /** Label of a job: the LocalQueue it waits in. */
  public static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";

  /** Label of a Workload: the uid of the job it stands for. */
  public static final String JOB_UID = "kueue.x-k8s.io/job-uid";

  /** Label of an admitted job's pods: the pod set they belong to. */
  public static final String POD_SET = "kueue.x-k8s.io/podset";

  /** Finalizer of what must not vanish while it is used. */
  public static final String IN_USE = "kueue.x-k8s.io/resource-in-use";

  private KueueNames() {}
}
