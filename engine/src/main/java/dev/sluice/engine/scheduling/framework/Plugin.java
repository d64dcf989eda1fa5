package dev.sluice.engine.scheduling.framework;

/** The name of a scheduler plugin, as kube-scheduler spells it. */
public record Plugin(String word) implements Comparable<Plugin> {
  public static final Plugin NODE_UNSCHEDULABLE = new Plugin("NodeUnschedulable");
  public static final Plugin TAINT_TOLERATION = new Plugin("TaintToleration");
  public static final Plugin NODE_AFFINITY = new Plugin("NodeAffinity");
  public static final Plugin NODE_PORTS = new Plugin("NodePorts");
  public static final Plugin NODE_RESOURCES_FIT = new Plugin("NodeResourcesFit");
  public static final Plugin VOLUME_RESTRICTIONS = new Plugin("VolumeRestrictions");
  public static final Plugin NODE_VOLUME_LIMITS = new Plugin("NodeVolumeLimits");
  public static final Plugin VOLUME_BINDING = new Plugin("VolumeBinding");
  public static final Plugin VOLUME_ZONE = new Plugin("VolumeZone");
  public static final Plugin POD_TOPOLOGY_SPREAD = new Plugin("PodTopologySpread");
  public static final Plugin INTER_POD_AFFINITY = new Plugin("InterPodAffinity");
  public static final Plugin DYNAMIC_RESOURCES = new Plugin("DynamicResources");
  public static final Plugin DEFAULT_PREEMPTION = new Plugin("DefaultPreemption");
  public static final Plugin BALANCED_ALLOCATION = new Plugin("NodeResourcesBalancedAllocation");
  public static final Plugin IMAGE_LOCALITY = new Plugin("ImageLocality");

  @Override
  public int compareTo(Plugin other) {
    return word.compareTo(other.word);
  }
}
