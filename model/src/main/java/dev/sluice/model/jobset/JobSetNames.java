package dev.sluice.model.jobset;

/** The labels and annotations of the JobSet API. */
public final class JobSetNames {
  private static final String PREFIX = "jobset.sigs.k8s.io/";
  private static final String ALPHA = "alpha." + PREFIX;

  public static final String JOB_SET = PREFIX + "jobset-name";
  public static final String JOB_SET_UID = PREFIX + "jobset-uid";
  public static final String REPLICATED_JOB = PREFIX + "replicatedjob-name";
  public static final String REPLICATED_JOB_REPLICAS = PREFIX + "replicatedjob-replicas";
  public static final String GLOBAL_REPLICAS = PREFIX + "global-replicas";
  public static final String JOB_INDEX = PREFIX + "job-index";
  public static final String JOB_GLOBAL_INDEX = PREFIX + "job-global-index";
  public static final String GROUP = PREFIX + "group-name";
  public static final String GROUP_REPLICAS = PREFIX + "group-replicas";
  public static final String JOB_GROUP_INDEX = PREFIX + "job-group-index";
  public static final String JOB_KEY = PREFIX + "job-key";
  public static final String RESTART_ATTEMPT = PREFIX + "restart-attempt";
  public static final String COORDINATOR = PREFIX + "coordinator";

  /** The annotation that gives every Job of a JobSet a topology domain of its own. */
  public static final String EXCLUSIVE_TOPOLOGY = ALPHA + "exclusive-topology";

  /** The annotation that leaves the choice of these domains to labels of nodes. */
  public static final String NODE_SELECTOR = ALPHA + "node-selector";

  /** The label of nodes that are set aside for a Job. */
  public static final String NAMESPACED_JOB = ALPHA + "namespaced-job";

  /** The taint of nodes that are set aside. */
  public static final String NO_SCHEDULE = ALPHA + "no-schedule";

  private JobSetNames() {}
}
